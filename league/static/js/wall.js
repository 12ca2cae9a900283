// The wall screen: shows its panels in turn, counts the round down, hides the pointer.
const root = document.querySelector("[data-wall]");

function turner(main) {
  let shown = -1;
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
  show(1);
  const seconds = Math.max(5, Number(main.dataset.seconds) || 15);
  let timer = setInterval(show, seconds * 1000, 1);
  // The organiser may turn the pages by hand: arrow keys; space stops and starts.
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(1);
    else if (event.key === "ArrowLeft") show(-1);
    else if (event.key === " ") timer = timer ? clearInterval(timer) : setInterval(show, seconds * 1000, 1);
  });
  document.addEventListener("live:refreshed", () => show(0));
  window.addEventListener("resize", () => show(0));
  document.fonts.ready.then(() => show(0));
}

const LARGEST = 3.2; // rem
const SMALLEST = 0.8;
const STEP = 0.05;

/* Gives what is marked data-fit the largest letters with which all of it is on the screen, in as
   many columns (up to the number there) as makes them largest. A phone scrolls instead. */
function fit(panel) {
  for (const box of panel.querySelectorAll("[data-fit]")) {
    box.removeAttribute("style");
    if (matchMedia("(max-width: 50rem)").matches) continue;
    let best = { size: SMALLEST, columns: Number(box.dataset.fit) };
    for (let columns = 1; columns <= Number(box.dataset.fit); columns += 1) {
      for (let low = best.size, high = LARGEST; high - low > STEP; ) {
        const size = (low + high) / 2;
        lay(box, { size, columns });
        if (spills(box)) high = size;
        else best = { size: (low = size), columns };
      }
    }
    lay(box, best);
  }
}

function lay(box, { size, columns }) {
  box.style.fontSize = `${size}rem`;
  box.style.setProperty("--columns", columns);
}

function spills(box) {
  const wide = (element) => element.scrollWidth > element.clientWidth + 1;
  const names = [...box.querySelectorAll(".wall-side, li > span, .tree-match")];
  return wide(box) || box.scrollHeight > box.clientHeight + 1 || names.some(wide);
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

function tick() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const { now, endsAt, paused, yellow, red } = clock.dataset;
    if (!skews.has(clock)) skews.set(clock, now ? Date.parse(now) - Date.now() : 0);
    const left = paused === undefined ? (Date.parse(endsAt) - Date.now() - skews.get(clock)) / 1000 : Number(paused);
    clock.querySelector("[data-clock-figures]").textContent = figures(left);
    clock.dataset.zone = zoneOf(left, { yellow: Number(yellow), red: Number(red) });
    const soon = clock.querySelector("[data-clock-soon]");
    const over = clock.querySelector("[data-clock-over]");
    if (soon) soon.hidden = !(left > 0 && clock.dataset.zone);
    if (over) over.hidden = left > 0;
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
