// Finds answers in the help: the best ones come first, and stand alone while something is looked for.
import { indexed, ranked } from "./help-rank.js";

const box = document.querySelector("[data-find]");
const best = document.querySelector("[data-best]");
const contents = document.querySelector("[data-contents]");
const parts = [...document.querySelectorAll("[data-part]")];
const answers = [...document.querySelectorAll("[data-words]")];
const homes = answers.map((answer) => [answer, answer.parentElement]);
const found = indexed(answers.map((answer) => {
  const { also = "", questions = "" } = answer.dataset;
  const heading = answer.querySelector("h3, b").textContent;
  return { phrases: [heading, ...also.split(","), ...questions.split("?")], text: answer.textContent };
}), best.dataset.small);

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

function restore() {
  for (const whence of best.querySelectorAll("[data-whence]")) whence.remove();
  for (const [answer, home] of homes) home.append(answer);
}

function find() {
  restore();
  const looking = box.value.trim() !== "";
  const { sure, shown: indexes } = looking ? ranked(found, box.value) : { sure: true, shown: [] };
  best.querySelector("ul").append(...indexes.map((index) => shown(answers[index])));
  best.hidden = !indexes.length;
  for (const part of parts) part.hidden = looking;
  contents.hidden = looking && sure;
  const unsure = indexes.length ? best.dataset.best : box.dataset.none;
  document.querySelector("[data-found]").textContent = sure ? "" : unsure;
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
