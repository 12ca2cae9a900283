// Finds answers in the help: one that surely fits stands alone, else the best are offered by name.
import { indexed, ranked } from "./help-rank.js";

const box = document.querySelector("[data-find]");
const best = document.querySelector("[data-best]");
const contents = document.querySelector("[data-contents]");
const parts = [...document.querySelectorAll("[data-part]")];
const answers = [...document.querySelectorAll("[data-words]")];
// Also steps that the search leaves out, so that all stay in order.
const homes = [...document.querySelectorAll("[data-part] li")].map((line) => [line, line.parentElement]);
const headingOf = (answer) => answer.querySelector("h3, b").textContent;
const found = indexed(answers.map((answer) => {
  const { also = "", questions = "" } = answer.dataset;
  return [headingOf(answer), ...also.split(","), ...questions.split("?"), answer.textContent];
}), best.dataset.small, best.dataset.groups);

// A step says little away from its part: it is named with it.
function shown(answer) {
  const part = answer.closest("[data-part]");
  const note = part.querySelector("[data-note]")?.textContent;
  const whence = document.createElement("p");
  whence.className = "soft";
  whence.dataset.whence = "";
  whence.textContent = [part.querySelector("h2").textContent, note].filter(Boolean).join(" · ");
  answer.append(whence);
  return answer;
}

function beginningOf(answer) {
  const text = (answer.querySelector("p") ?? answer).textContent.replace(headingOf(answer), "").replace(/\s+/g, " ").trim();
  const sentence = text.match(/.+?[.!?](?=\s|$)/u)?.[0] ?? text;
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}

// An answer that may be another one shows its heading and first sentence, and opens.
function folded(answer) {
  const [line, fold, summary, heading, beginning, inside] = ["li", "details", "summary", "span", "small", "ul"].map((name) => document.createElement(name));
  heading.textContent = headingOf(answer).replace(/\s*:$/u, "");
  beginning.textContent = beginningOf(answer);
  heading.append(document.createElement("br"), beginning);
  summary.append(heading);
  fold.addEventListener("toggle", () => { beginning.hidden = fold.open; }); // it is read in full
  [fold.className, inside.className] = ["more", "flow"];
  inside.append(shown(answer));
  for (const title of inside.querySelectorAll("h3")) title.hidden = true; // it is the line to tap
  fold.append(summary, inside);
  line.append(fold);
  return line;
}

function restore() {
  for (const whence of best.querySelectorAll("[data-whence]")) whence.remove();
  for (const title of best.querySelectorAll("h3")) title.hidden = false;
  for (const [line, home] of homes) home.append(line);
  best.querySelector("ul").replaceChildren();
}

function noteOf({ alone, near, shown: [first] }) {
  if (alone) return "";
  if (near) return best.dataset.guess;
  return first === undefined ? box.dataset.none : best.dataset.best;
}

function find() {
  restore();
  const looking = box.value.trim() !== "";
  const result = looking ? ranked(found, box.value) : { alone: true, shown: [] };
  const { alone, near, shown: indexes } = result;
  const offered = alone ? indexes.slice(0, 1).map((index) => shown(answers[index])) : indexes.map((index) => folded(answers[index]));
  best.querySelector("ul").append(...offered);
  best.hidden = !indexes.length;
  for (const part of parts) part.hidden = looking;
  contents.hidden = looking && (alone || near);
  document.querySelector("[data-found]").textContent = noteOf(result);
}

// A link of the contents leads to its part, also while something is looked for.
contents.addEventListener("click", (event) => {
  if (!event.target.closest("a")) return;
  box.value = "";
  find();
});

box.closest(".field").hidden = false;
box.addEventListener("input", find);
box.addEventListener("search", find); // its own cross empties it
contents.open = matchMedia("(min-width: 40.01rem)").matches; // where there is room
