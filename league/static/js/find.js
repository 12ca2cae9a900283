// Finds a rule, an answer or a player by words: shows what fits, and opens the folds that hold it. What
// others call the same thing stands in `data-also`.
const box = document.querySelector("[data-find]");
const found = () => [...document.querySelectorAll("[data-words]")];
// Farmer's hand, farmers hand; every word begins after a space, and a % is one.
const plain = (text) => ` ${text.toLowerCase().replace(/['’]/g, "").replace(/[^\p{L}\p{N}\p{M}%]+/gu, " ")}`;
const wordsOf = (item) => plain(`${item.dataset.words || item.textContent} ${item.dataset.also ?? ""}`);
const folds = [...document.querySelectorAll("[data-fold]")];
const before = new Map(folds.map((fold) => [fold, fold.open]));

function find() {
  const items = found(); // a live table brings new ones
  const words = plain(box.value).split(" ").filter(Boolean);
  const fits = (edge) => (item) => words.every((word) => wordsOf(item).includes(edge + word));
  // "tie" is no part of "penalties"; only where no word begins so is one looked into: Einzelturnier.
  const fitting = items.some(fits(" ")) ? fits(" ") : fits("");
  for (const item of items) item.hidden = !fitting(item);
  for (const fold of folds) {
    const holds = [...fold.querySelectorAll("[data-words]")].some((item) => !item.hidden);
    fold.hidden = !holds;
    fold.open = words.length ? holds : before.get(fold);
  }
  const none = words.length && items.every((item) => item.hidden);
  document.querySelector("[data-found]").textContent = none ? box.dataset.none : "";
}

if (box) {
  box.closest(".field").hidden = false;
  box.addEventListener("input", find);
  box.addEventListener("search", find); // its own cross empties it
  document.addEventListener("live:refreshed", find);
  // A change of rules begins by finding one: not on a phone, nor where something has to be put right.
  const begins = document.querySelector("form .rule-field") && !document.querySelector("[data-focus]");
  if (begins && matchMedia("(pointer: fine)").matches) box.focus();
}
