// The wall screen: shows its panels in turn, counts the round down, hides the pointer.
const root = document.querySelector("[data-wall]");
const seconds = Number(root?.dataset.seconds ?? 15);
let shown = -1;

function turn() {
  const panels = [...root.querySelectorAll(".wall-panel")];
  if (panels.length < 2) {
    delete root.dataset.turning;
    return;
  }
  shown = (shown + 1) % panels.length;
  root.dataset.turning = "";
  panels.forEach((panel, index) => panel.classList.toggle("shown", index === shown));
}

if (root) {
  turn();
  setInterval(turn, seconds * 1000);
}
