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
