// A saved hand is felt in the hand that holds the phone, as the switch says; until it was touched,
// wherever less motion is not asked for.
import { remember, remembered } from "./device.js";

const CHOICE = "vibrate";
const LONG = 40; // milliseconds

function wanted() {
  const chosen = remembered(CHOICE);
  return chosen ? chosen === "yes" : !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function buzz() {
  if (wanted()) navigator.vibrate?.(LONG);
}

export function startBuzz() {
  const holder = document.querySelector("[data-buzz]");
  if (!holder || !("vibrate" in navigator)) return; // not every phone lets a page do so
  const box = holder.querySelector("input");
  holder.hidden = false;
  box.checked = wanted();
  box.addEventListener("change", () => {
    remember(CHOICE, box.checked ? "yes" : "no");
    buzz();
  });
}
