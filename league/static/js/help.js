// Finds answers in the help, best first, each a line to tap; one that surely fits is open.
import { indexed, ranked } from "./help-rank.js";

const box = document.querySelector("[data-find]");
const best = document.querySelector("[data-best]");
const answers = [...document.querySelectorAll("[data-words]")];
const headingOf = (answer) => answer.querySelector("h3, b").textContent.replace(/\s*:$/u, "");
const found = indexed(answers.map((answer) => {
  const { also = "", questions = "" } = answer.dataset;
  return { subject: [headingOf(answer), ...also.split(","), answer.textContent], questions: questions.split("?") };
}), best.dataset.small, best.dataset.groups);

function element(name, className, ...inside) {
  const made = Object.assign(document.createElement(name), { className });
  made.append(...inside);
  return made;
}

const capitalised = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

// That organisers do it is said of an answer, or of its whole part.
const noteOf = (answer) => answer.querySelector("[data-note]") ?? answer.closest("[data-part]").querySelector(":scope > [data-note]");

// A link on a line of its own follows the last sentence without a space.
function beginningOf(answer) {
  const text = (answer.querySelector("p:not([data-note])") ?? answer).textContent.replace(answer.querySelector("h3, b").textContent, "").replace(/\s+/g, " ").trim();
  const sentence = text.match(/.{12,}?[.!?](?=\s|\p{Lu}|$)/u)?.[0] ?? text;
  return `${noteOf(answer)?.dataset.note ?? ""} ${capitalised(sentence)}`;
}

// The line to tap says it; a step's label may be a link.
function dropLabel(answer) {
  const label = answer.querySelector("h3, b");
  const text = label.nextSibling;
  if (label.querySelector("a")) return;
  if (label.matches("b")) text.textContent = capitalised(text.textContent.trimStart());
  label.remove();
}

// A step says little away from its part: it is named with it.
function copied(answer) {
  const note = noteOf(answer);
  const copy = answer.cloneNode(true);
  copy.removeAttribute("id");
  dropLabel(copy);
  if (note && !answer.contains(note)) copy.prepend(note.cloneNode(true));
  copy.append(element("p", "soft", answer.closest("[data-part]").querySelector("h2").textContent));
  return copy;
}

function line(answer, open) {
  const beginning = element("small", "", beginningOf(answer));
  const title = element("span", "", headingOf(answer), document.createElement("br"), beginning);
  const fold = element("details", "more", element("summary", "", title), element("ul", "flow answers", copied(answer)));
  fold.addEventListener("toggle", () => { beginning.hidden = fold.open; }); // it is read in full
  fold.open = open;
  return element("li", "", fold);
}

function find() {
  const looking = box.value.trim() !== "";
  const { alone, near, shown } = looking ? ranked(found, box.value) : { near: true, shown: [] };
  best.querySelector("ul").replaceChildren(...shown.map((index, place) => line(answers[index], alone && place === 0)));
  best.hidden = !shown.length;
  const note = shown.length ? best.dataset.best : box.dataset.none;
  document.querySelector("[data-found]").textContent = near ? "" : note;
}

// A link to an answer opens the part that has it.
function arrive() {
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest("details");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

box.closest(".field").hidden = false;
box.addEventListener("input", find);
box.addEventListener("search", find); // its own cross empties it
addEventListener("hashchange", arrive);
addEventListener("pageshow", find); // the way back brings what was typed
arrive();
