// What the hand will pay, asked of the server while it is being tapped; the newest question counts.
const PAUSE = 60; // milliseconds, so that two quick taps are one question

let timer;
let asked;

function put(line, ...shown) {
  line.replaceChildren(...shown);
}

/* Says something of the page's own; a question not asked yet would only cover it. */
export function say(text) {
  clearTimeout(timer);
  const line = document.querySelector("#preview");
  if (line && text) put(line, Object.assign(document.createElement("small"), { textContent: text }));
}

function show(line, html) {
  const told = new DOMParser().parseFromString(html, "text/html").body;
  const word = told.querySelector("[data-save-word]");
  const save = document.querySelector("#save");
  if (save) save.textContent = word.textContent;
  word.remove();
  put(line, ...told.childNodes);
}

/* `held()`: what to show instead of asking, if anything; `lost()`: what, when nobody answers. */
async function ask(form, { held, lost }) {
  const line = document.querySelector("#preview");
  asked?.abort();
  if (!line || held()) return say(held());
  asked = new AbortController();
  try {
    const answer = await fetch(line.dataset.preview, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { "HX-Request": "true" },
      signal: asked.signal,
    });
    if (answer.ok) show(line, await answer.text());
  } catch (trouble) {
    if (trouble.name !== "AbortError") say(held() || lost());
  }
}

/* What a penalty costs, said where it is asked. */
async function askPenalty(form) {
  const line = form.querySelector("[data-effect]");
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.dataset.penalty, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.ok) put(line, ...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
}

export function startPreview(words) {
  document.addEventListener("change", ({ target }) => {
    const penalty = target.closest("[data-penalty]");
    if (penalty) {
      target.closest("fieldset")?.querySelector(".errorlist")?.remove();
      return void askPenalty(penalty);
    }
    const form = target.closest("[data-hand]");
    clearTimeout(timer);
    if (form) timer = setTimeout(ask, PAUSE, form, words);
  });
}
