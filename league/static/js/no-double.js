// The second click of a double click does nothing in a list marked data-no-double: the line under
// the pointer may be the next person's by then.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail < 2 || !event.target.closest("[data-no-double]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// An answer that comes while a name is pressed would take it from under the finger, and the tap with
// it: it waits until the finger is gone.
const CLICKED = 100; // ms from the release until the click has been heard, also of a finger
let pressed = false;
let waiting = null;

document.addEventListener("pointerdown", ({ target }) => (pressed = Boolean(target.closest("#room"))), true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    pressed = false;
    setTimeout(() => {
      if (!pressed) waiting?.();
    }, CLICKED);
  }, true);
}
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap) return;
  waiting = null; // a newer answer says more
  if (!pressed) return;
  detail.shouldSwap = false;
  waiting = () => {
    waiting = null;
    window.htmx.swap(detail.target, detail.serverResponse, { swapStyle: "innerHTML" });
  };
});
