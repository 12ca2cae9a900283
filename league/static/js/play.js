// The table's page: send a form once, show what came back, keep everything when nothing did.
// Without this script the same forms are posted by the browser itself.
import { buzz, startBuzz } from "./play-buzz.js";
import { answersOf, begun, fill, isWhole } from "./play-form.js";
import { startPreview } from "./play-preview.js";
import "./play-reach.js";
import { focusNext, toast, words } from "./play-queue-view.js";
import { Desk } from "./play-queue.js";
import { startAnswers, startSeats, startWithdrawal } from "./play-seats.js";
import { startTricks } from "./play-tricks.js";
import { NoAnswer, newId } from "./queue.js";
import { released } from "./released.js";
import { nameZone, startTheme } from "./theme.js";

const PATIENCE = 12000; // milliseconds until a silent server counts as gone
const BUSY = [429, 502, 503, 504];
const LOCK = 800; // milliseconds in which a second tap on Undo is a slip of the thumb
const IN_USE = 3000; // milliseconds until a page that was in use is looked at again

const table = () => document.querySelector("[data-table]");
const handForm = () => document.querySelector("[data-queue] ~ [data-hand]");

function say(state, text) {
  const line = document.querySelector("#sync");
  if (!line) return;
  line.dataset.state = state;
  line.querySelector("[data-sync-text]").textContent = text;
}

const partOf = (html) => new DOMParser().parseFromString(html, "text/html").querySelector("[data-table]");

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
  const part = partOf(await answer.text());
  return { part, ours: part?.querySelector("[data-queue]") && answer.status !== 409 };
}

/* Put the server's part in the place of the page's; false when there is none. `quiet`: for
   somebody who is in the middle of the next hand; `saved`: it answers what was just sent. */
function show(part, { quiet = false, saved = true } = {}) {
  if (!part) return false;
  const wasDisputed = table().dataset.phase === "disputed";
  table().replaceWith(part);
  if (wasDisputed && part.dataset.phase === "playing") toast(part.dataset.playOn);
  start(part);
  keepPage();
  if (desk?.isWaiting) desk.draw();
  desk?.compare();
  const notice = part.querySelector("[data-focus]");
  if (notice) notice.focus();
  else tell(part.querySelector("#messages p, [data-undone] p, #last-hand p"));
  if (!notice && saved) focusNext();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!notice && saved) buzz(); // felt: it is saved
  const inFold = [...part.querySelectorAll("#hand details .errorlist")].find((wrong) => wrong.offsetParent);
  const wrong = notice?.closest(".game-menu") ? notice : notice && inFold;
  wrong?.scrollIntoView({ block: "center" });
  if (!quiet && !wrong) scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  return true;
}

function tell(line) {
  const heard = document.querySelector("[data-heard]");
  if (heard) heard.textContent = line?.textContent ?? "";
  line?.closest(".last-hand")?.setAttribute("data-fresh", "");
}

async function onSubmit(event) {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.busy || lockOf(form)?.disabled) return; // a second press of the same
  form.dataset.busy = "yes";
  const words = table().dataset;
  const buttons = document.querySelectorAll(`button[type=submit][form="${form.id}"], form[data-busy] button[type=submit]`);
  buttons.forEach((button) => (button.disabled = true));
  try {
    await sendOrKeep(form, event.submitter, words);
    if (lockOf(form)) lock();
  } catch (trouble) {
    // Nothing is lost: the answers stand as they were and carry the same id, so sending them
    // again cannot save the hand twice.
    if (!form.matches("[data-hand]")) return void notSent(form, trouble.busy ? words.busyText : words.unreached);
    const save = document.querySelector("[data-save]");
    if (save) save.textContent = words.again;
    say("attention", trouble.busy ? words.busyText : words.lost);
  } finally {
    delete form.dataset.busy;
    buttons.forEach((button) => (button.disabled = false));
    if (handForm()) readySave(handForm());
  }
}

/* What needs the server at once and did not reach it: said where it was pressed. */
function notSent(form, textContent) {
  document.querySelector("[data-not-sent]")?.remove();
  const notice = Object.assign(document.createElement("p"), { className: "notice bad", role: "alert", textContent });
  notice.dataset.notSent = "";
  (form.closest(".last-hand") ?? form).after(notice);
  if (desk) desk.draw();
  else say("saved", table().dataset.saved);
}

/* The button of a form that takes something back or puts it back. */
const lockOf = (form) => form.closest("#last-hand, [data-undone]")?.querySelector("button");

/* After an undo the next hand's Undo stands where the thumb is. */
function lock() {
  const buttons = document.querySelectorAll("#last-hand button, [data-undone] button");
  buttons.forEach((button) => (button.disabled = true));
  setTimeout(() => buttons.forEach((button) => (button.disabled = false)), LOCK);
}

/* Until the hand is whole the preview says what is missing. */
function readySave(form) {
  const save = document.querySelector("[data-save]");
  if (save) save.disabled = !isWhole(form);
}

/* A question about a hand that is being changed now is a question no longer. */
function forgetQuestion() {
  const save = document.querySelector("[data-save][name=confirm_unlikely]");
  if (!save) return;
  save.removeAttribute("name");
  save.id = "save"; // the preview writes its word
  document.querySelectorAll("[role=alert][data-focus]").forEach((notice) => notice.remove());
}

/* The page's part as the server has it now, in place of the one shown; answers begun are kept.
   False where the table is closed to this phone. */
async function refresh() {
  const answer = await fetch(document.querySelector("[data-queue]").dataset.home, {
    headers: { "HX-Request": "true" },
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (answer.status === 403) return false;
  if (!answer.ok) throw new NoAnswer(String(answer.status));
  const part = partOf(await answer.text());
  await released();
  if (!showBeside(part)) throw new NoAnswer("not our page");
  return true;
}

/* Put in the server's part beside a hand that somebody has begun, or an open menu: both stay. */
function showBeside(part) {
  const held = handForm() && begun(handForm()) ? answersOf(handForm()) : null;
  const isMenuOpen = Boolean(document.querySelector(".game-menu[open]"));
  part?.querySelector(".game-menu")?.toggleAttribute("open", isMenuOpen);
  if (!show(part, { quiet: held || isMenuOpen, saved: false })) return false;
  if (held && handForm()) fill(handForm(), held);
  return true;
}

/* Another phone's hand, other players or the next game: shown at once, unless somebody is in the
   middle of a hand or has chosen something in the menu: then a line says so. The table's own phone goes on to the next game. */
async function onNews() {
  if (desk?.isWaiting && !desk.queue.trouble && !document.querySelector("form[data-busy]")) desk.queue.hasten(); // the server is there
  const moved = document.querySelector("#news")?.dataset.moved;
  if (!moved) return;
  if (desk?.isTaken && !desk.editing && !desk.queue.busy) return void desk.askAgain(); // theirs may be gone
  const isBegun = handForm() && begun(handForm());
  const inUse = document.querySelector("form[data-busy], .game-menu[open] :is(:checked, .inner[open]), dialog[open], #totals :focus");
  if (desk?.isWaiting || inUse || (moved === "hands" && isBegun)) {
    document.querySelector("#news > [hidden]")?.removeAttribute("hidden");
    return void setTimeout(onNews, IN_USE);
  }
  const known = changedHand()?.innerHTML;
  if (!(await refresh().catch(() => false))) return;
  if (changedHand() && changedHand().innerHTML !== known) document.querySelector("#messages").append(changedHand().content);
  document.querySelector("form[data-follow]")?.submit();
}

/* What another phone has made of the last hand, in words. */
const changedHand = () => document.querySelector("#last-hand [data-changed]");

/* A hand is kept in the phone until the server has it; other orders need the server at once. */
async function sendOrKeep(form, button, words) {
  const isHand = desk && form.matches("[data-hand]");
  if (isHand && !(await desk.readAgain())) return;
  if (isHand && desk.isWaiting) return desk.saveBehind(form, button);
  say("waiting", words.sending);
  const sent = isHand ? await desk.sendKept(form, button, () => send(form, button)) : await send(form, button);
  const put = form.matches("[action*='/call']") ? showBeside : show; // a call changes no hand
  if (sent && !put(sent.part)) location.reload();
}

function nameTheSide(form) {
  const heading = form.querySelector("[data-tricks-of]");
  const chosen = form.querySelector("[name=maker]:checked")?.closest("label");
  if (!heading) return;
  heading.dataset.nobody ??= heading.textContent;
  const called = form.querySelector("[name=partner]:checked:not([value=nobody])")?.value;
  const partner = called && form.querySelector(`[name=maker][value="${called}"]`).closest("label");
  const side = [chosen?.dataset.side, partner?.dataset.side].filter(Boolean).join(" & ");
  heading.textContent = side ? heading.dataset.words.replace("%s", side) : heading.dataset.nobody;
}

/* An answer that was missing and is given now is no fault any more. */
function forgive({ target }) {
  if (!target.value || !target.matches("[aria-invalid]")) return;
  target.removeAttribute("aria-invalid");
  target.closest(".field")?.querySelector(".errorlist")?.remove();
}

/* Where the server lets the phone keep the page for a reload without a network. */
async function keepPage() {
  const worker = document.querySelector("[data-worker]")?.dataset.worker;
  if (!worker) return;
  const { keepShell } = await import("./play-shell.js");
  await keepShell(worker).catch(() => {}); // it is a help, no more: hands wait without it too
}

/* What helps to write calls, cards and reasons is loaded once its part is opened. */
function helpWriting(form) {
  const load = async () => (await import("./play-typing.js").catch(() => null))?.startTyping(form);
  if (form.querySelector("[data-reasons], details.more[open]")) load();
  else form.addEventListener("toggle", load, { once: true, capture: true });
}

/* The bar saves the hand: once none of it is on the screen it would stand by the menu's own buttons. */
function watchMenu(root) {
  const visible = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) visible[isIntersecting ? "add" : "delete"](target);
    if (changes[0].target.isConnected) table()?.toggleAttribute("data-in-menu", !visible.size);
  }, { rootMargin: "-48px 0px 0px" }); // less than a key's height is not seen
  for (const part of root.querySelectorAll("[data-hand] > fieldset")) observer.observe(part);
}

function start(root) {
  startAnswers(root);
  startWithdrawal(root);
  watchMenu(root);
  if (location.hash === "#corrections") root.querySelector("#corrections")?.setAttribute("open", "");
  const form = root.querySelector("[data-hand]");
  if (form) {
    if (!root.querySelector("[data-focus]")) form.elements.client_id.value = newId();
    startSeats(form);
    startTricks(form);
    helpWriting(form);
    form.addEventListener("change", (event) => (nameTheSide(form), forgetQuestion(), forgive(event), readySave(form)));
    form.addEventListener("input", (event) => (forgive(event), readySave(form)));
    nameTheSide(form);
    readySave(form);
  }
}

/* When the round's end has come, the page says so. The server says how long it still is: this
   phone's clock may be wrong. */
let end = {};
function watchClock() {
  const clock = document.querySelector("#round-clock [data-ends-at]");
  if (!clock) return;
  const { endsAt, secondsLeft, over } = clock.dataset;
  if (endsAt !== end.endsAt) end = { endsAt, over: Date.now() + secondsLeft * 1000 };
  if (Date.now() < end.over || clock.textContent === over) return;
  clock.textContent = over;
  document.dispatchEvent(new CustomEvent("clock:over")); // the news offers to end the game
}

/* Keys are for a desk: a phone does not load what they do. */
let keys;
async function onKey(event) {
  keys ??= import("./play-keys.js").catch(() => (keys = null));
  (await keys)?.onKey(event);
}

/* Without a network the browser would leave for an error page of its own. */
function stayOffline(event) {
  if (navigator.onLine || !event.target.closest("a[href]:not([href^='#'])")) return;
  event.preventDefault();
  toast(words?.offline);
}

document.addEventListener("submit", onSubmit);
document.addEventListener("click", stayOffline);
addEventListener("online", () => document.querySelector("[data-toast]")?.replaceChildren());
document.addEventListener("live:refreshed", onNews);
// Closed to this phone: the server's own page says why, and shows the hands that are still kept.
document.addEventListener("live:ended", () => location.reload());
// Back from another page: the browser shows the page as it was, which may be hands behind.
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.querySelector("[data-focus]")?.focus();
start(document);
if (table()) {
  document.addEventListener("keydown", onKey);
  document.querySelector("[data-keys]")?.addEventListener("click", () => document.querySelector("#keys").showModal());
}
startBuzz();
setInterval(watchClock, 1000);
startTheme(document);
nameZone();
const desk = document.querySelector("[data-queue]") ? new Desk(refresh, say) : null;
desk?.open();
keepPage();
startPreview({ held: () => desk?.previewHeld, lost: () => desk?.later });
