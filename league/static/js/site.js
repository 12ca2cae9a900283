// What every page runs: the theme switch, printing, focus on what went wrong.
import { nameZone, startTheme } from "./theme.js";

startTheme(document);
nameZone();

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.querySelector(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = field.value ?? field.textContent;
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    // Without https there is no clipboard to write to, and elsewhere it may be forbidden.
    const wrote = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (!wrote) document.execCommand("copy");
    button.textContent = button.dataset.copied;
  });
}

// A new club is, most likely, where the person is who starts it. Browsers may use a zone's other name.
const zones = document.querySelector("select[data-here]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const there = zones && (JSON.parse(zones.dataset.here)[here] ?? here);
const place = zones?.querySelector(`option[value="${there}"]`);
if (place) place.selected = true;

function focusWhatMatters(root) {
  root.querySelector?.("[data-focus]")?.focus();
}

// A page made for one form begins in its first field: not on a phone, whose keyboard would cover it.
const field = document.querySelector(
  "form[data-begin] :is(textarea, select, input:not([type=hidden], [type=checkbox], [type=radio]:not(:checked), [disabled]))",
);
if (matchMedia("(pointer: fine)").matches && !location.hash) field?.focus();
focusWhatMatters(document);
document.addEventListener("htmx:load", (event) => focusWhatMatters(event.target));
