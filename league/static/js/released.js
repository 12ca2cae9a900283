// A page that changes under a finger loses the tap: what has arrived waits until the finger is up.
const CLICK = 50; // milliseconds in which a click follows the finger

let isHeld = false;
addEventListener("pointerdown", () => (isHeld = true));
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => setTimeout(() => (isHeld = false), CLICK));
}

export async function released() {
  while (isHeld) await new Promise((done) => setTimeout(done, CLICK));
}
