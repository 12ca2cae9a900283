// Finds a rule or a player by words: shows what fits, and opens the folds that hold it. What
// others call the same thing stands in `data-also`.
import { mistyped, plain } from "./words.js";

const box = document.querySelector("[data-find]");
const found = () => [...document.querySelectorAll("[data-words]")];
const wordsOf = (item) => plain(`${item.dataset.words || item.textContent} ${item.dataset.also ?? ""}`);
const folds = [...document.querySelectorAll("[data-fold]")];
const before = new Map(folds.map((fold) => [fold, fold.open]));

// Links to the page that may have it take along what is looked for.
const carrying = document.querySelectorAll("[data-carry] a");

const HANDFUL = 5;

function find() {
  const items = found(); // a live table brings new ones
  const words = plain(box.value).split(" ").filter(Boolean);
  const fits = (words, edge) => (item) => words.every((word) => wordsOf(item).includes(edge + word));
  // Words that stand together are found together: "no trump", "first jack", the last one perhaps half typed.
  const phrase = (words) => (item) => wordsOf(item).includes(` ${words.join(" ")}`);
  // "tie" is no part of "penalties"; only where no word begins so is one looked into: Einzelturnier.
  // A wrong letter is forgiven next: eucre. Last, of a whole question, what has most of its longer words;
  // if that is more than a handful, what has most of it in its heading.
  const loose = words.map(mistyped);
  const nearly = (words) => {
    const forms = words.map(mistyped);
    return (item) => forms.every((form) => form.test(wordsOf(item)));
  };
  const longer = (least) => loose.filter((_, index) => words[index].length >= least);
  const hits = (text, least) => longer(least).filter((word) => word.test(text)).length;
  const heading = (item) => plain(item.querySelector("dt, b, label")?.textContent ?? "");
  const share = (item) => hits(wordsOf(item), 4);
  const most = (of, items) => items.filter((item) => of(item) > 0 && of(item) === Math.max(...items.map(of)));
  const best = most(share, items);
  const few = best.length > HANDFUL ? most((item) => hits(heading(item), 3), best) : [];
  const mostly = (item) => (few.length ? few : best).includes(item);
  const ways = (words) => (words.length ? [phrase(words), fits(words, " "), fits(words, ""), nearly(words)] : []);
  // A number is looked for first, and then let go: "play to 11" where the rule says 10.
  const lettered = words.filter((word) => !/^\d+$/.test(word));
  const fitting = [...ways(words), ...ways(lettered), mostly].find((fit) => items.some(fit)) ?? fits(words, " ");
  for (const item of items) item.hidden = !fitting(item);
  for (const fold of folds) {
    const holds = [...fold.querySelectorAll("[data-words]")].some((item) => !item.hidden);
    fold.hidden = !holds;
    fold.open = words.length ? holds : before.get(fold);
  }
  const none = words.length && items.every((item) => item.hidden);
  document.querySelector("[data-found]").textContent = none ? box.dataset.none : "";
  for (const link of carrying) link.hash = words.length ? `find=${encodeURIComponent(box.value)}` : "";
}

if (box) {
  box.closest(".field").hidden = false;
  box.addEventListener("input", find);
  box.addEventListener("search", find); // its own cross empties it
  document.addEventListener("live:refreshed", find);
  box.value = new URLSearchParams(location.hash.slice(1)).get("find") ?? box.value;
  if (box.value) find();
  // A change of rules begins by finding one: not on a phone, nor where something has to be put right.
  const begins = document.querySelector("form .rule-field") && !document.querySelector("[data-focus]");
  if (begins && matchMedia("(pointer: fine)").matches) box.focus();
}
