// Finds a rule, an answer or a player by words: shows what fits, and opens the folds that hold it. What
// others call the same thing stands in `data-also`.
const box = document.querySelector("[data-find]");
const found = () => [...document.querySelectorAll("[data-words]")];
const plain = (text) => text.toLowerCase().replace(/['’]/g, ""); // farmer's hand, farmers hand
const wordsOf = (item) => plain(`${item.dataset.words || item.textContent} ${item.dataset.also ?? ""}`);
const folds = [...document.querySelectorAll("[data-fold]")];
const before = new Map(folds.map((fold) => [fold, fold.open]));

function find() {
  const items = found(); // a live table brings new ones
  const words = plain(box.value).split(/\s+/).filter(Boolean);
  const fits = (item) => words.every((word) => wordsOf(item).includes(word));
  for (const item of items) item.hidden = !fits(item);
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
