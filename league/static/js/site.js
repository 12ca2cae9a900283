// What every page runs: the theme switch, focus on what went wrong, toasts that go by themselves.
import { startTheme } from "./theme.js";

startTheme(document);

function focusWhatMatters(root) {
  root.querySelector?.("[data-focus]")?.focus();
}

focusWhatMatters(document);
document.addEventListener("htmx:load", (event) => focusWhatMatters(event.target));
