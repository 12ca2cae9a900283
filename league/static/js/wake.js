// Keeps the screen on where the browser can, and says plainly where it cannot.
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
  if (!box.checked || document.hidden || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
    tell("");
  } catch {
    box.checked = false;
    tell("refused");
  }
}

function remember(value) {
  try {
    localStorage.setItem(CHOICE, value);
  } catch {
    // Private windows may not keep anything: the switch still works while the page is open.
  }
}

function remembered() {
  try {
    return localStorage.getItem(CHOICE) === "yes";
  } catch {
    return false;
  }
}

if (holder && "wakeLock" in navigator) {
  holder.hidden = false;
  box.checked = remembered();
  box.addEventListener("change", async () => {
    remember(box.checked ? "yes" : "no");
    if (box.checked) await hold();
    else await lock?.release();
  });
  document.addEventListener("visibilitychange", hold);
  hold();
} else if (note) {
  tell(window.isSecureContext ? "missing" : "insecure");
}
