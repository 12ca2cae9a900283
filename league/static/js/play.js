// The table's page: send a form once, show what came back, keep everything when nothing did.
// Without this script the same forms are posted by the browser itself.
import { buzz, startBuzz } from "./play-buzz.js";
import { startKeys } from "./play-keys.js";
import { startPreview } from "./play-preview.js";
import { Desk } from "./play-queue.js";
import { startSeats } from "./play-seats.js";
import { startTyping } from "./play-typing.js";
import { newId } from "./queue.js";
import { startTheme } from "./theme.js";

const PATIENCE = 12000; // milliseconds until a silent server counts as gone
const BUSY = [429, 502, 503, 504];

const table = () => document.querySelector("[data-table]");

function say(state, text) {
  const line = document.querySelector("#sync");
  if (!line) return;
  line.dataset.state = state;
  line.querySelector("[data-sync-text]").textContent = text;
}

/* The one way out: every form of the page is sent here. Answers with the new page's part, or
   throws when nobody answered. `ours`: it is such a part, and says all there is to say. */
async function send(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  const answer = await fetch(form.action, {
    method: "POST",
    body,
    headers: { "HX-Request": "true" },
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (BUSY.includes(answer.status)) throw Object.assign(new Error("busy"), { busy: true });
  const html = await answer.text();
  return { html, ours: html.includes("data-table") && answer.status !== 409 };
}

/* Put the server's part in the place of the page's; false when it is no such part. `quiet`: for
   somebody who is in the middle of the next hand. */
function show(html, quiet = false) {
  const part = new DOMParser().parseFromString(html, "text/html").querySelector("[data-table]");
  if (!part) return false;
  table().replaceWith(part);
  start(part);
  keepPage();
  const told = part.querySelector("[data-focus]");
  if (told) told.focus();
  else tell(part.querySelector("#last-hand p"));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!told) buzz(); // felt: it is saved
  if (!quiet) scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  return true;
}

function tell(line) {
  const heard = document.querySelector("[data-heard]");
  if (heard) heard.textContent = line?.textContent ?? "";
  line?.parentElement.setAttribute("data-fresh", "");
}

async function onSubmit(event) {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.busy) return; // a second press while the first is on its way
  form.dataset.busy = "yes";
  const words = table().dataset;
  const buttons = document.querySelectorAll(`button[type=submit][form="${form.id}"], form[data-busy] button[type=submit]`);
  buttons.forEach((button) => (button.disabled = true));
  try {
    await sendOrKeep(form, event.submitter, words);
  } catch (trouble) {
    // Nothing is lost: the answers stand as they were and carry the same id, so sending them
    // again cannot save the hand twice.
    const save = document.querySelector("[data-save]");
    if (save && form.matches("[data-hand]")) save.textContent = words.again;
    say("attention", trouble.busy ? words.busyText : words.lost);
  } finally {
    delete form.dataset.busy;
    buttons.forEach((button) => (button.disabled = false));
  }
}

/* A hand is kept in the phone until the server has it; other orders need the server at once. */
async function sendOrKeep(form, button, words) {
  const isHand = desk && form.matches("[data-hand]");
  if (isHand && desk.isWaiting) return desk.saveBehind(form, button);
  say("waiting", words.sending);
  const sent = isHand ? await desk.sendKept(form, button, () => send(form, button)) : await send(form, button);
  if (sent && !show(sent.html)) location.reload();
}

function nameTheSide(form) {
  const heading = form.querySelector("[data-tricks-of]");
  const chosen = form.querySelector("[name=maker]:checked")?.closest("label");
  if (!heading) return;
  heading.dataset.nobody ??= heading.textContent;
  const side = chosen?.dataset.side;
  heading.textContent = side ? heading.dataset.words.replace("%s", side) : heading.dataset.nobody;
}

/* Where the server lets the phone keep the page for a reload without a network. */
async function keepPage() {
  const worker = document.querySelector("[data-worker]")?.dataset.worker;
  if (!worker) return;
  const { keepShell } = await import("./play-shell.js");
  await keepShell(worker).catch(() => {}); // it is a help, no more: hands wait without it too
}

function start(root) {
  const form = root.querySelector("[data-hand]");
  if (form) {
    if (!root.querySelector("[data-focus]")) form.elements.client_id.value = newId();
    form.addEventListener("change", () => nameTheSide(form));
    nameTheSide(form);
    startSeats(form);
    startTyping(form);
  }
}

document.addEventListener("submit", onSubmit);
// Back from another page: the browser shows the page as it was, which may be hands behind.
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.querySelector("[data-focus]")?.focus();
start(document);
if (table()) startKeys();
startBuzz();
startTheme(document);
const desk = document.querySelector("[data-queue]") ? new Desk(show, say) : null;
desk?.open();
keepPage();
const lost = () => document.querySelector("#queue-words")?.dataset.preview;
startPreview({ held: () => desk?.previewHeld, lost });
