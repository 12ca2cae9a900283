/* Lays pages of a file out side by side, each in a frame as wide as a phone, with every fold open.
   The frames are written anew for the next pages: to load each would take twice as long. Of each:
   what sticks out or is cut off, choices as well, and words of buttons that are broken without a hyphen; in the
   language of nobody what sticks out from right to left, and the texts with a plain letter that are
   not marked as English. */
async ([file, width, nobodys]) => {
  const HEARD = ["title", "aria-label", "aria-description", "placeholder", "alt"];
  const ARROW = 16;
  const PLAIN = /[A-Za-z]{2}/;

  function troubles({ document, innerWidth, getComputedStyle }) {
    const wide = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
    const found = wide > innerWidth ? [`${wide} px wide`] : [];
    for (const one of document.body.querySelectorAll("*")) {
      const across = one.scrollWidth > one.clientWidth + 2;
      const down = one.scrollHeight > one.clientHeight + 2;
      if (!(across || down) || one.clientWidth <= 8 || !one.textContent.trim()) continue;
      const style = getComputedStyle(one);
      if (style.display === "inline" || style.clip !== "auto" || !one.checkVisibility()) continue;
      if (style.webkitLineClamp !== "none") continue; // the last hand, on the smallest phones: its list has it whole
      const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
      const box = own || style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderRightWidth !== "0px";
      const cut = ["hidden", "clip"];
      if ((across && cut.includes(style.overflowX)) || (down && cut.includes(style.overflowY)) ||
          (across && box && style.overflowX === "visible"))
        found.push(`${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 60)}`);
    }
    return found;
  }

  function* broken(document) {
    const range = document.createRange();
    for (const one of document.querySelectorAll(".button, .badge, .choice small, .key small")) {
      const all = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      for (let node = all.nextNode(); node; node = all.nextNode())
        for (const { 0: word, index } of node.data.matchAll(/\p{L}{2,}/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map((part) => Math.round(part.top)));
          if (lines.size > 1) yield `a word is broken: ${word}`;
        }
    }
  }

  /* A choice is whole: on one line, or on several that its field is high enough for. */
  function* cutChoices({ document, getComputedStyle }) {
    for (const select of document.querySelectorAll("select:not([multiple])")) {
      if (!select.checkVisibility() || !select.selectedOptions.length) continue;
      const { font, paddingInline, paddingBlock, lineHeight, whiteSpace } = getComputedStyle(select);
      const copy = document.createElement("div");
      Object.assign(copy.style, {
        font, paddingInline, paddingBlock, lineHeight, whiteSpace, position: "absolute", boxSizing: "border-box",
        inlineSize: `${select.clientWidth - ARROW}px`,
      });
      copy.textContent = select.selectedOptions[0].text.trim();
      document.body.append(copy);
      if (copy.scrollWidth > copy.clientWidth + 1 || copy.scrollHeight > select.clientHeight + 1)
        yield `a choice is cut: ${copy.textContent}`;
      copy.remove();
    }
  }

  function* texts(document) {
    const all = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL);
    for (let node = all.nextNode(); node; node = all.nextNode()) {
      if (node.nodeType === 3 && !node.parentElement.closest("style, script, [lang=en]"))
        yield node.data.replace(/<[^>]*>/g, " ");
      if (node.nodeType !== 1 || node.closest("[lang=en]")) continue;
      for (const name of HEARD) if (node.hasAttribute(name)) yield node.getAttribute(name);
      if (node.matches("[type=submit], [type=button]")) yield node.getAttribute("value") ?? "";
    }
  }

  const pages = await (await fetch(file)).json();
  while (document.body.childElementCount < pages.length)
    document.body.append(
      Object.assign(document.createElement("iframe"), { width, height: 2 * width }));
  const frames = [...document.body.children].slice(0, pages.length);
  await Promise.all(frames.map((frame, number) => new Promise((ready) => {
    const inside = frame.contentDocument;
    inside.open();
    inside.write(pages[number]);
    frame.contentWindow.addEventListener("load", ready);
    inside.close();
  })));
  for (const { contentDocument: page } of frames) {
    for (const fold of page.querySelectorAll("details, dialog")) fold.open = true;
    for (const menu of page.querySelectorAll("[popover]")) menu.showPopover();
    page.body.getBoundingClientRect(); // the letters in a fold are only fetched now
  }
  await Promise.all(frames.map((frame) => frame.contentDocument.fonts.ready));
  return frames.map(({ contentWindow: page }) => {
    const found = troubles(page);
    found.push(...broken(page.document), ...cutChoices(page));
    if (!nobodys) return [found, []];
    page.document.documentElement.dir = "rtl";
    found.push(...troubles(page).map((trouble) => `mirrored: ${trouble}`));
    return [found, [...texts(page.document)].filter((text) => PLAIN.test(text))];
  });
}
