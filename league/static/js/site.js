// What every page runs: the theme switch, printing, focus on what went wrong.
import { startTheme } from "./theme.js";

startTheme(document);

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Every time is the club's own: say where, to somebody whose clock is another.
const zone = document.querySelector("[data-zone]");
if (zone) zone.hidden = zone.dataset.zone === Intl.DateTimeFormat().resolvedOptions().timeZone;

function focusWhatMatters(root) {
  root.querySelector?.("[data-focus]")?.focus();
}

focusWhatMatters(document);
document.addEventListener("htmx:load", (event) => focusWhatMatters(event.target));
