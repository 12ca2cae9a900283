// The board: the button for the next round says whether everyone is in it, as the tables are ticked.
document.addEventListener("change", (event) => {
  const button = document.querySelector("[data-all]");
  if (!button || !event.target.matches(".board-tile [name=table]")) return;
  const boxes = [...document.querySelectorAll(".board-tile [name=table]")];
  button.textContent = boxes.every((box) => box.checked) ? button.dataset.all : button.dataset.some;
});
