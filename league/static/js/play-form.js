// The hand's form as plain answers and back: what a waiting hand is made of.
const KEPT_APART = ["csrfmiddlewaretoken"];
const CALLED = ["maker", "alone", "bid", "trump", "partner"];

/* The answers given, by name; what was left empty is left out. */
export function answersOf(form, button) {
  const given = [...new FormData(form)].filter(([name, value]) => value !== "" && !KEPT_APART.includes(name));
  if (button?.name) given.push([button.name, button.value]);
  return Object.fromEntries(given);
}

export function fill(form, answers) {
  for (const field of form.elements) {
    if (!field.name || KEPT_APART.includes(field.name)) continue;
    const answer = answers[field.name] ?? "";
    if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === answer;
    else if (field.tagName !== "BUTTON") field.value = answer;
  }
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

/* Whether somebody has begun to answer. */
export function begun(form) {
  return Object.keys(answersOf(form)).some((name) => !["client_id", "number", "dealer"].includes(name));
}

/* Whether the players' tricks cannot add up: too many, or too few where nobody takes the rest. */
export function countsWrong(form) {
  const answers = answersOf(form);
  const won = Object.keys(answers).filter((name) => /^won\d$/.test(name));
  const counted = won.reduce((sum, name) => sum + Number(answers[name]), 0);
  const all = Number(form.dataset.tricks);
  return counted > all || (isPassed(answers) && form.matches("[data-unbid]") && counted < all);
}

/* Whether the answers make a whole hand; what it is worth is the server's to say. */
export function isWhole(form) {
  const answers = answersOf(form);
  const given = Object.keys(answers);
  const tookTricks = given.some((name) => /^won\d$/.test(name));
  if (answers.auction) return true; // a hand thrown in has no more
  if (countsWrong(form)) return false;
  if (isPassed(answers)) return true;
  const lacks = (name) => form.querySelector(`[name=${name}]:enabled`) && !answers[name];
  if (lacks("maker") || lacks("partner") || (answers.maker !== "dirty_clubs" && lacks("bid"))) return false;
  const outs = [...form.querySelectorAll("[type=checkbox][name^=out]")];
  const allOut = outs.some((out) => out.checked) && outs.filter((out) => !out.checked).length <= 1;
  return allOut || tookTricks || ["tricks", "outcome", "trick1", "renege_by"].some((name) => answers[name]);
}

/* What is to be answered next once the maker is known, in the order of the page: "bid", "partner" or "took". */
export function nextQuestion(form) {
  const answers = answersOf(form);
  const isAsked = (name) => form.querySelector(`[name=${name}]:enabled`) && !answers[name];
  return answers.maker ? (["bid", "partner"].find(isAsked) ?? "took") : "";
}

export const isPassed = (answers) => answers.maker === "passed";

/* What is heard of a part of a key: a suit's word without its sign. */
function heard(part) {
  const nodes = [...part.childNodes].filter((node) => !node.ariaHidden && node.nodeName !== "SMALL");
  return nodes.map((node) => node.textContent.trim()).filter(Boolean).join(" ");
}

/* An answer as the page words it beside its key; of a bid without what it pays. */
function worded(form, name, value) {
  const isBid = name === "bid";
  const label = form.querySelector(`[name="${name}"][value="${value}"]`)?.closest("label");
  const unsaid = `input, .dealer, .mark${isBid ? ", small" : ""}`;
  const parts = [...(label?.children ?? [])].filter((part) => !part.matches(unsaid));
  return [isBid ? form.dataset.bidMark : "", ...parts.map(heard)].filter(Boolean).join(" ");
}

const bySeat = (a, b) => a.at(-1) - b.at(-1);

/* What a player took, by name: "Ann 2", "Ann out". */
function counted(form, name, value) {
  const place = form.querySelector(`[name="${name}"]`).closest(".count");
  const took = name.startsWith("out") ? place.querySelector(".out").textContent.trim() : value;
  return `${place.querySelector("label").textContent.trim()} ${took}`;
}

/* A hand in the words of the form that asked for it: "Rose · Alone · 5 march". */
export function inWords(form, answers, trickWords) {
  const said = CALLED.filter((name) => answers[name]).map((name) => worded(form, name, answers[name]));
  if (answers.outcome) said.push(worded(form, "outcome", answers.outcome));
  else if (answers.tricks) said.push(trickWords.replace("%s", answers.tricks));
  const counts = Object.keys(answers).filter((name) => /^(won|out)\d$/.test(name)).sort(bySeat);
  if (counts.length) said.push(trickWords.replace("%s", counts.map((name) => counted(form, name, answers[name])).join(", ")));
  if (!said.length && answers.auction) said.push(answers.auction);
  return said.filter(Boolean).join(" · ");
}
