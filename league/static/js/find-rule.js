// Finds a rule by its name: shows what fits, opens the folds that hold it, and says how many.
const box = document.querySelector("[data-find]");
const rules = [...document.querySelectorAll("[data-words]")];
const folds = [...document.querySelectorAll("[data-fold]")];
const before = new Map(folds.map((fold) => [fold, fold.open]));

function find() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (rule) => words.every((word) => rule.dataset.words.includes(word));
  for (const rule of rules) rule.hidden = !fits(rule);
  for (const fold of folds) {
    const holds = [...fold.querySelectorAll("[data-words]")].some((rule) => !rule.hidden);
    fold.hidden = !holds;
    fold.open = words.length ? holds : before.get(fold);
  }
  const none = words.length && rules.every((rule) => rule.hidden);
  document.querySelector("[data-found]").textContent = none ? box.dataset.none : "";
}

if (box) {
  box.closest(".field").hidden = false;
  box.addEventListener("input", find);
  box.addEventListener("search", find); // its own cross empties it
  // A change of rules begins by finding one: not on a phone, nor where something has to be put right.
  const begins = document.querySelector("form .rule-field") && !document.querySelector("[data-focus]");
  if (begins && matchMedia("(pointer: fine)").matches) box.focus();
}
