// Keeps the screen on where the browser can, and says plainly where it cannot.
import { remember, remembered } from "./device.js";

const CHOICE = "keep-screen-on";
const holder = document.querySelector("[data-wake]");
const box = document.querySelector("[data-wake-box]");
const note = document.querySelector("[data-wake-note]");
let lock = null;

function tell(reason) {
  note.textContent = reason ? note.dataset[reason] : "";
  note.hidden = !reason;
}

async function hold() {
  if (remembered(CHOICE) !== "yes" || document.hidden || lock) return; // the box is empty while it is refused
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
    box.checked = true;
    tell("");
  } catch {
    box.checked = false;
    tell("refused");
  }
}

if (holder && "wakeLock" in navigator) {
  holder.hidden = false;
  box.checked = remembered(CHOICE) === "yes";
  box.addEventListener("change", async () => {
    remember(CHOICE, box.checked ? "yes" : "no");
    if (box.checked) await hold();
    else await lock?.release();
  });
  document.addEventListener("visibilitychange", hold);
  hold();
} else if (note) {
  tell(window.isSecureContext ? "missing" : "insecure");
}
