// Live pages: watches one revision number and fetches the marked parts again when it has moved.
// The number comes from {% live_status %}. A part is any element with an id and `data-live`, the
// address to fetch it from (empty: the page's own), a whole page with the same id or the part alone.
import "./keep-open.js";
import { released } from "./released.js";

const VISIBLE = 4000;
const HIDDEN = 20000;
const LOST_MOST = 30000;
const MORPH = "../vendor/idiomorph-0.8.0/idiomorph.esm.js"; // loaded with the first news
const GIVE_UP = new Set([401, 403, 404, 410]);

class Ended extends Error {}

const status = document.querySelector("[data-revision-url]");
if (status) start(status);

export function waitFor(failures, hidden) {
  const calm = hidden ? HIDDEN : VISIBLE;
  return Math.min(calm * 2 ** Math.min(failures, 3), Math.max(calm, LOST_MOST));
}

function start(line) {
  const text = line.querySelector("[data-live-text]");
  const heard = line.querySelector("[data-live-heard]");
  const lang = document.documentElement.lang || "en";
  const ago = new Intl.RelativeTimeFormat(lang, { style: "short", numeric: "auto" });
  // The club's own clock, as everywhere on the site; a table's phone is in the hall anyway.
  const timeZone = document.querySelector("[data-zone]")?.dataset.zone;
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "medium", timeZone });
  const moment = line.querySelector("[data-live-when]");
  let etag = `"${line.dataset.revision}"`;
  let failures = 0;
  let updated = Date.now();
  let timer;

  function say(state) {
    if (line.dataset.state !== state) {
      const was = line.dataset.state;
      line.dataset.state = state;
      if (state === "lost") heard.textContent = line.dataset.lost;
      else if (was === "lost") heard.textContent = line.dataset.now;
    }
    const seconds = Math.round((Date.now() - updated) / 1000);
    const when =
      seconds < 90 ? ago.format(-seconds, "second") : ago.format(-Math.round(seconds / 60), "minute");
    text.textContent = { lost: line.dataset.lost, ended: line.dataset.ended }[state] ?? line.dataset.now;
    line.querySelector("[data-live-updated]").hidden = moment.hidden = state === "ended";
    show(when);
  }

  /* How long ago; when exactly stands in the title, and in its place after a tap. */
  function show(when) {
    const at = clock.format(updated);
    const exact = moment.dataset.exact !== undefined;
    moment.firstElementChild.dateTime = new Date(updated).toISOString();
    moment.firstElementChild.textContent = exact ? at : when;
    moment.title = exact ? when : at;
  }

  function end() {
    say("ended");
    document.dispatchEvent(new CustomEvent("live:ended"));
  }

  async function look() {
    clearTimeout(timer);
    try {
      const answer = await fetch(line.dataset.revisionUrl, {
        headers: { "If-None-Match": etag },
        cache: "no-store",
        credentials: "same-origin",
        signal: AbortSignal.timeout(10000),
      });
      if (GIVE_UP.has(answer.status)) return end();
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(String(answer.status));
        if (await refresh()) etag = answer.headers.get("ETag") ?? etag;
      }
      failures = 0;
      updated = Date.now();
    } catch (error) {
      if (error instanceof Ended) return end();
      failures += 1;
    }
    clearTimeout(timer); // of a look that began meanwhile
    timer = setTimeout(look, waitFor(failures, document.hidden));
    return say(failures ? "lost" : "live");
  }

  moment.addEventListener("click", () => {
    moment.toggleAttribute("data-exact");
    say(line.dataset.state);
  });
  document.addEventListener("visibilitychange", () => document.hidden || look());
  window.addEventListener("online", look);
  // When the time is up, the parts change with no news from the tables: fetch them all the same.
  document.addEventListener("clock:over", () => {
    etag = "";
    if (line.dataset.state !== "ended") look();
  });
  window.addEventListener("offline", () => {
    failures += 1;
    say("lost");
  });
  setInterval(() => line.dataset.state !== "ended" && say(failures ? "lost" : "live"), 1000);
  say("live");
  timer = setTimeout(look, waitFor(0, document.hidden));
}

/* Whether every part shows the news now. */
async function refresh() {
  let all = true;
  const { Idiomorph } = await import(MORPH);
  const parts = [...document.querySelectorAll("[data-live][id]")];
  const addresses = new Set(parts.map(addressOf));
  for (const address of addresses) {
    const answer = await fetch(address, { credentials: "same-origin", headers: { "HX-Request": "true" } });
    if (GIVE_UP.has(answer.status) || ledAway(answer, address)) throw new Ended();
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    await released();
    for (const part of parts) if (addressOf(part) === address) all = put(part, fresh, Idiomorph) && all;
  }
  document.dispatchEvent(new CustomEvent("live:refreshed"));
  return all;
}

// Signed out meanwhile: the server leads to the sign-in page, by a redirect or by word to htmx.
function ledAway(answer, address) {
  const elsewhere = new URL(answer.url).pathname !== new URL(address).pathname;
  return elsewhere || answer.headers.has("HX-Redirect");
}

function addressOf(part) {
  return new URL(part.dataset.live || location.href, location.href).href;
}

// Never pulls a form from under somebody's fingers, nor loses what they typed: the next look
// brings the news.
function put(part, fresh, morphing) {
  const held = document.activeElement;
  const inside = part.contains(held) && held !== document.body;
  if ((inside && held.matches("input, select, textarea")) || holdsTyping(part)) return false;
  const next = fresh.getElementById(part.id);
  if (!next) return true;
  keepTicks(part, next);
  morphing.morph(part, next, { callbacks: { beforeAttributeUpdated: mayChange } });
  window.htmx?.process(document.getElementById(part.id));
  return true;
}

/* What somebody opened stays open. */
function mayChange(name, element, how) {
  return !(name === "open" && how === "remove" && element.matches("details"));
}

function holdsTyping(part) {
  const fields = [...part.querySelectorAll("input:not([type=checkbox], [type=radio]), textarea")];
  return fields.some((field) => field.value !== field.defaultValue);
}

function keepTicks(part, next) {
  const fresh = [...next.querySelectorAll("input[type=checkbox]")];
  for (const box of part.querySelectorAll("input[type=checkbox]")) {
    if (box.checked === box.defaultChecked) continue;
    const again = fresh.find((other) => other.name === box.name && other.value === box.value);
    if (again) again.checked = box.checked;
  }
}
