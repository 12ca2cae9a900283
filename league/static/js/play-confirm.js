// The page on which a side confirms: once there is nothing to confirm, the table's page says why.
import "./play-reach.js";

const LOCK = 1500; // milliseconds in which a tap was meant for the score before

const scoreSeen = () => document.querySelector("[data-accept] [name=seen]")?.value;
let seen = scoreSeen();

/* Another score stands there now: said, and the button waits until it can have been read. */
function onNews() {
  const form = document.querySelector("[data-accept]");
  if (!form || scoreSeen() === seen) return;
  seen = scoreSeen();
  const notice = document.querySelector("[data-score-changed]");
  notice.textContent = form.dataset.changed;
  notice.hidden = false;
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  setTimeout(() => (button.disabled = false), LOCK);
}

document.addEventListener("live:refreshed", onNews);
document.addEventListener("live:ended", () => location.reload());
