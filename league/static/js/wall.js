// The wall screen: shows its panels in turn, counts the round down, hides the pointer.
const root = document.querySelector("[data-wall]");

function turner(main) {
  let shown = 0;
  let news = "";
  const show = (step) => {
    const panels = [...main.querySelectorAll(".wall-panel")];
    if (panels.length < 2) {
      delete main.dataset.turning;
      panels.forEach(fit);
      return;
    }
    shown = (shown + step + panels.length) % panels.length;
    main.dataset.turning = "";
    panels.forEach((panel, index) => panel.classList.toggle("shown", index === shown));
    fit(panels[shown]);
  };
  const seconds = Math.max(5, Number(main.dataset.seconds) || 15);
  const start = () => setInterval(show, seconds * 1000, 1);
  let timer = start();
  // What is new is shown first: a round's seats by name, or the winners.
  const refresh = () => {
    const panels = [...main.querySelectorAll(".wall-panel")];
    const first = panels.findIndex((panel) => panel.dataset.news);
    const latest = panels[first]?.dataset.news ?? "";
    if (latest && latest !== news) {
      shown = first;
      clearInterval(timer);
      timer = timer && start();
    }
    news = latest;
    show(0);
  };
  refresh();
  // The organiser may turn the pages by hand: arrow keys; space stops and starts.
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(1);
    else if (event.key === "ArrowLeft") show(-1);
    else if (event.key === " ") timer = timer ? clearInterval(timer) : start();
  });
  document.addEventListener("live:refreshed", refresh);
  window.addEventListener("resize", () => show(0));
  document.fonts.ready.then(() => show(0));
}

const LARGEST = 3.2; // rem
const SMALLEST = 0.8;
const STEP = 0.05;

/* Gives what is marked data-fit the largest letters with which all of it is on the screen, in as
   many columns (up to the number there) as makes them largest. A phone scrolls instead. The pages
   of one list (data-pages) are laid out alike, so the others are shown while they are measured. */
function fit(panel) {
  const list = panel.dataset.pages;
  const pages = list ? [...document.querySelectorAll(`[data-pages="${list}"]`)] : [panel];
  pages.forEach((page) => page.classList.add("shown"));
  const boxes = pages.map((page) => [...page.querySelectorAll("[data-fit]")]);
  boxes[0].forEach((_box, index) => fitAlike(boxes.map((ofPage) => ofPage[index])));
  pages.forEach((page) => page.classList.toggle("shown", page === panel));
}

function fitAlike(boxes) {
  boxes.forEach((box) => box.removeAttribute("style"));
  if (matchMedia("(max-width: 50rem)").matches) return;
  const most = Number(boxes[0].dataset.fit);
  const lay = (layout) => boxes.forEach((box) => layOut(box, layout));
  let best = { size: SMALLEST, columns: most };
  for (let columns = 1; columns <= most; columns += 1) {
    for (let low = best.size, high = LARGEST; high - low > STEP; ) {
      const size = (low + high) / 2;
      lay({ size, columns });
      if (boxes.some(spills)) high = size;
      else best = { size: (low = size), columns };
    }
  }
  lay(best);
}

function layOut(box, { size, columns }) {
  box.style.fontSize = `${size}rem`;
  box.style.setProperty("--columns", columns);
}

function spills(box) {
  const wide = (element) => element.scrollWidth > element.clientWidth + 1;
  const names = [...box.querySelectorAll(".wall-side, .wall-names li, li > span, .tree-match")];
  return wide(box) || box.scrollHeight > box.clientHeight + 1 || names.some(wide) || overlaps(box);
}

// Whether the match for third place reaches up to the final in the same column.
function overlaps(box) {
  const below = box.querySelector(".tree-below");
  const final = below?.parentElement.querySelector(".tree-match");
  return Boolean(below) && final.getBoundingClientRect().bottom > below.getBoundingClientRect().top;
}

export function figures(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export function zoneOf(seconds, { yellow, red }) {
  if (seconds <= red) return "red";
  return seconds <= yellow ? "yellow" : "";
}

// The server's own clock counts: the difference to this screen's is taken once, at load.
const skews = new WeakMap();
const running = new WeakSet();

function tick() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const { now, endsAt, paused, yellow, red } = clock.dataset;
    if (!skews.has(clock)) skews.set(clock, now ? Date.parse(now) - Date.now() : 0);
    const left = paused === undefined ? (Date.parse(endsAt) - Date.now() - skews.get(clock)) / 1000 : Number(paused);
    clock.querySelector("[data-clock-figures]").textContent = figures(left);
    clock.dataset.zone = zoneOf(left, { yellow: Number(yellow), red: Number(red) });
    const soon = clock.querySelector("[data-clock-soon]");
    clock.querySelector("[data-clock-left]").hidden = left <= 0 || paused !== undefined;
    const over = clock.querySelector("[data-clock-over]");
    if (soon) soon.hidden = !(left > 0 && clock.dataset.zone);
    if (over) over.hidden = left > 0;
    if (left > 0) running.add(clock);
    else if (running.delete(clock)) document.dispatchEvent(new CustomEvent("clock:over"));
  }
}

if (root) {
  turner(root);
  let idle;
  const awake = () => {
    document.body.classList.remove("idle");
    clearTimeout(idle);
    idle = setTimeout(() => document.body.classList.add("idle"), 3000);
  };
  document.addEventListener("pointermove", awake);
  awake();
}
tick();
setInterval(tick, 500);
document.addEventListener("live:refreshed", tick);
