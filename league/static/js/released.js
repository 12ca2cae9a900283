// A page that changes under a finger loses the tap: what has arrived waits until the finger is up.
const CLICK = 50; // milliseconds in which a click follows the finger
const LONGEST = 15000; // of a press: a menu of choices keeps its end to itself

let pressedAt = -Infinity;
addEventListener("pointerdown", () => (pressedAt = performance.now()));
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => setTimeout(() => (pressedAt = -Infinity), CLICK));
}

export async function released() {
  while (performance.now() - pressedAt < LONGEST) await new Promise((done) => setTimeout(done, CLICK));
}
