// Tricks: the key that makes a bid is marked, and the question comes into sight.

/* How many tricks the bid that is chosen needs; NaN before one is. */
function needed(form) {
  return Number(form.querySelector("[name=bid]:checked")?.closest("label").dataset.needs ?? NaN);
}

function markBid(form) {
  const needs = needed(form);
  for (const label of form.querySelectorAll("[data-trick-keys] label")) {
    const exact = Number(label.querySelector("input").value) === needs;
    label.toggleAttribute("data-mark", exact);
    if (exact) label.dataset.mark = form.dataset.bidMark;
  }
}

/* Nobody is his own partner, and who plays alone has none. */
function barPartner(form) {
  const maker = form.querySelector("[name=maker]:checked")?.value;
  const alone = Boolean(form.querySelector("[name=alone]:checked"));
  const asked = form.querySelector("[data-partner]");
  for (const key of asked?.querySelectorAll("input") ?? []) {
    const barred = alone || key.value === maker;
    key.checked &&= !barred;
    key.disabled = barred; // hidden it would move the others
  }
}

/* Once the call is made, the tricks come into sight above the bar that saves. */
function reveal(form, { name, value }) {
  const last = value !== "passed" && form.querySelector("[name=bid]") ? "bid" : "maker";
  const question = [...form.querySelectorAll("[data-trick-keys], [data-splits], [data-counts], .choice:has([name=outcome])")].find((keys) => keys.offsetParent);
  const bar = document.querySelector(".save-bar");
  if (name !== last || !question || !bar) return;
  const place = question.closest("fieldset").getBoundingClientRect();
  const under = question.getBoundingClientRect().bottom + 8 - bar.getBoundingClientRect().top;
  const room = place.top - document.querySelector("#score").getBoundingClientRect().height;
  const line = 1.5 * parseFloat(getComputedStyle(bar).fontSize); // by which the bar may grow
  if (under > 8) scrollBy(0, Math.min(under + line, room));
}

const MOMENT = 400; // milliseconds

/* When a key has moved under the finger that chose it, a quick second tap would meet another key:
   for a moment the hand takes none. */
function keepStill(form) {
  const top = ({ target }) => target.closest("label")?.getBoundingClientRect().top;
  let before;
  form.addEventListener("pointerdown", (event) => (before = top(event)));
  form.addEventListener("change", (event) => {
    if (Math.abs(top(event) - before) > 4) form.animate({ pointerEvents: ["none", "none"] }, MOMENT);
  });
}

/* What each player took has a part of its own, which other games do not load. */
async function startCounts(form) {
  const box = form.querySelector("[data-counts]");
  return box && new (await import("./play-counts.js")).Counts(form, box, () => needed(form));
}

export async function startTricks(form) {
  let counts;
  const draw = () => (markBid(form), barPartner(form), counts?.draw());
  form.addEventListener("change", draw);
  form.addEventListener("change", ({ target }) => reveal(form, target));
  keepStill(form);
  draw();
  counts = await startCounts(form);
  counts?.draw();
  if (counts?.splits?.querySelector("[aria-pressed=true]")) counts.folded.open = false; // said by one key
}
