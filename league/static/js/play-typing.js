// Cards and calls by tapping: each tap is typed into the line that a page without script shows.
const words = (line) => line.value.split(/[\s,]+/).filter(Boolean);

function changed(line) {
  line.dispatchEvent(new Event("change", { bubbles: true }));
}

function startTaps(taps) {
  const line = document.getElementById(taps.dataset.taps);
  const parts = () => line.value.split(",").map((part) => part.trim()).filter(Boolean);
  taps.hidden = false;
  taps.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const said = "back" in button.dataset ? parts().slice(0, -1) : [...parts(), button.dataset.say];
    line.value = said.join(taps.dataset.separator);
    changed(line);
  });
}

/* Reasons ready to tap: the one tapped is written into the line below, after what was typed there. */
function startReasons(box) {
  const line = document.getElementById(box.dataset.reasons);
  box.hidden = false;
  box.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const reasons = [...box.querySelectorAll("button")].map((each) => each.textContent.trim());
    const typed = reasons.includes(line.value) ? "" : line.value.trim();
    line.value = [typed, button.textContent.trim()].filter(Boolean).join(", ");
    changed(line);
  });
}

class Deck {
  constructor(box) {
    this.box = box;
    this.deck = box.querySelector("[data-deck]");
    this.lines = [...box.querySelectorAll("input[data-holds]")];
    this.line = this.lines.find((line) => line.dataset.first !== undefined) ?? this.lines[0];
    this.deck.hidden = false;
    this.deck.addEventListener("click", (event) => this.tap(event));
    box.addEventListener("focusin", (event) => {
      if (this.lines.includes(event.target)) this.turnTo(event.target);
    });
    box.addEventListener("input", () => this.draw());
    this.draw();
  }

  /* Lines whose cards cannot be used twice: hands are the cards before, tricks the cards played. */
  used() {
    const kind = this.line.dataset.kind;
    return this.lines.filter((line) => line.dataset.kind === kind).flatMap(words);
  }

  tap(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const held = words(this.line);
    if (button.dataset.card) held.push(button.dataset.card);
    else if (held.length) held.pop();
    else return this.turnBack();
    this.line.value = held.join(" ");
    changed(this.line);
    if (button.dataset.card && held.length >= Number(this.line.dataset.holds)) this.turnOn();
    this.draw();
  }

  turnTo(line) {
    this.line = line;
    this.draw();
  }

  turnOn() {
    const next = this.lines[this.lines.indexOf(this.line) + 1];
    if (next && next.dataset.kind === this.line.dataset.kind) this.line = next;
  }

  turnBack() {
    const before = this.lines[this.lines.indexOf(this.line) - 1];
    if (before) this.turnTo(before);
  }

  draw() {
    const used = this.used();
    for (const button of this.deck.querySelectorAll("[data-card]")) {
      const copies = Number(this.deck.dataset.copies);
      button.disabled = used.filter((card) => card === button.dataset.card).length >= copies;
    }
    for (const line of this.lines) line.closest(".line").classList.toggle("on", line === this.line);
    const label = this.line.closest(".line").querySelector("label").textContent;
    this.deck.querySelector("[data-card-line]").textContent = label;
  }
}

export function startTyping(form) {
  form.querySelectorAll("[data-taps]").forEach(startTaps);
  form.querySelectorAll("[data-reasons]").forEach(startReasons);
  form.querySelectorAll("[data-cards]").forEach((box) => new Deck(box));
}
