// Tricks in a bid game: the key that makes the bid is marked, and three players' counts are one tap.
const MORE = [0, 1, -1, 2]; // tricks above the bid, the likeliest first
const MOST = 10; // keys with three counts: two rows of a phone

const count = (input) => Number(input.value || 0);

function changed(input) {
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

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

/* The ways in which the others share what a bidder with so many tricks leaves them; where there is
   no room for all, those near the middle. */
function shares(maker, own, all, room) {
  const rest = all - own;
  const firsts = Array.from({ length: rest + 1 }, (_, first) => first);
  const likely = firsts.toSorted((a, b) => Math.abs(rest - 2 * a) - Math.abs(rest - 2 * b)).slice(0, room);
  return likely.toSorted((a, b) => a - b).map((first) => {
    const others = [first, rest - first];
    return [0, 1, 2].map((seat) => (seat === maker ? own : others.shift()));
  });
}

function splitKey(way, names) {
  const key = Object.assign(document.createElement("button"), { type: "button", className: "key" });
  key.value = way.join(" ");
  key.textContent = way.join("–");
  key.setAttribute("aria-label", way.map((won, seat) => `${names[seat]} ${won}`).join(", "));
  return key;
}

class Counts {
  constructor(form, box) {
    this.form = form;
    this.inputs = [...box.querySelectorAll("input[name^=won]")];
    this.splits = form.querySelector("[data-splits]");
    this.all = Number(form.dataset.tricks);
    this.words = box.dataset;
    for (const button of box.querySelectorAll(".step")) button.hidden = false;
    this.folded = box.closest("details");
    if (this.folded) this.folded.open = this.inputs.some((input) => input.value !== "");
    box.addEventListener("click", ({ target }) => {
      const input = target.closest(".count")?.querySelector("input[type=number]");
      if (target.closest(".step")) this.step(input, Number(target.closest(".step").dataset.step));
      else if (target.closest("[data-take-rest]")) this.takeRest(input);
    });
    this.splits?.addEventListener("click", ({ target }) => this.take(target.closest("button")));
  }

  get nobodyBid() {
    return this.form.querySelector("[name=maker]:checked")?.value === "passed";
  }

  get maker() {
    return Number(this.form.querySelector("[name=maker]:checked")?.value ?? NaN);
  }

  /* What the others than the maker took, all together. */
  get others() {
    return this.inputs.reduce((sum, input, seat) => sum + (seat === this.maker ? 0 : count(input)), 0);
  }

  step(input, by) {
    if (by > 0 && this.others >= this.all) return;
    input.value = Math.min(this.all, Math.max(0, count(input) + by));
    if (this.maker >= 0) this.inputs[this.maker].value = "";
    changed(input);
  }

  takeRest(input) {
    input.value = Math.max(0, this.all - this.others);
    changed(input);
  }

  take(button) {
    if (!button) return;
    button.value.split(" ").forEach((won, seat) => (this.inputs[seat].value = won));
    changed(this.inputs[0]);
  }

  /* What the others leave is the maker's: said in his place, and written there on a tap. */
  draw() {
    const maker = this.maker;
    const given = this.inputs.some((input, seat) => seat !== maker && count(input) > 0);
    const alone = this.inputs.every((_, seat) => seat === maker || this.form.elements[`out${seat}`]?.checked);
    const rest = Math.max(0, this.all - this.others);
    const lacksBid = this.form.querySelector("[name=bid]") && !this.form.querySelector("[name=bid]:checked");
    this.inputs.forEach((input, seat) => {
      const own = seat === maker;
      const place = input.closest(".count");
      const key = place.querySelector("[data-take-rest]");
      const out = this.form.elements[`out${seat}`];
      for (const part of place.querySelectorAll(".step, input[type=number]")) part.hidden = own || out?.checked;
      place.querySelector("[data-step='1']").setAttribute("aria-disabled", rest === 0);
      place.querySelector("[data-step='-1']").setAttribute("aria-disabled", !count(input));
      key.hidden = !own;
      key.disabled = Boolean(lacksBid);
      key.textContent = (given ? this.words.rest : this.words.all).replace("%s", rest);
      key.setAttribute("aria-pressed", given || alone || input.value !== "");
      if (!out) return;
      out.checked &&= !own;
      out.closest("label").hidden = own;
      if (out.checked && count(input)) input.value = "";
    });
    if (this.folded && this.nobodyBid) this.folded.open = true; // each counts what he took himself
    if (this.splits) this.drawSplits(maker, needed(this.form));
  }

  /* Keys that stay the same are kept: one under the thumb must not go while it is pressed. */
  drawSplits(maker, needs) {
    this.splits.hidden = this.nobodyBid;
    if (maker >= 0 && !Number.isNaN(needs)) this.offerSplits(maker, needs);
    const now = this.inputs.map((input) => input.value).join(" ");
    for (const key of this.splits.children) key.setAttribute("aria-pressed", key.value === now);
  }

  offerSplits(maker, needs) {
    const owns = MORE.map((more) => needs + more).filter((own) => own >= 0 && own <= this.all);
    const ways = [];
    for (const own of owns) ways.push(...shares(maker, own, this.all, MOST - ways.length));
    const names = this.inputs.map((input) => input.closest(".count").querySelector("label").textContent.trim());
    if (this.offered !== ways.join(";")) this.splits.replaceChildren(...ways.map((way) => splitKey(way, names)));
    this.offered = ways.join(";");
  }
}

/* Once the call is made, the tricks come into sight above the bar that saves. */
function reveal(form, { name, value }) {
  const last = value !== "passed" && form.querySelector("[name=bid]") ? "bid" : "maker";
  const asked = [...form.querySelectorAll("[data-trick-keys], [data-splits], [data-counts]")].find((keys) => keys.offsetParent);
  const bar = document.querySelector(".save-bar");
  if (name !== last || !asked || !bar) return;
  const place = asked.closest("fieldset").getBoundingClientRect();
  const under = asked.getBoundingClientRect().bottom + 8 - bar.getBoundingClientRect().top;
  const room = place.top - document.querySelector("#score").getBoundingClientRect().height;
  if (under > 8) scrollBy(0, Math.min(under, room));
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

export function startTricks(form) {
  const box = form.querySelector("[data-counts]");
  const counts = box && new Counts(form, box);
  const draw = () => (markBid(form), barPartner(form), counts?.draw());
  form.addEventListener("change", draw);
  form.addEventListener("change", ({ target }) => reveal(form, target));
  keepStill(form);
  draw();
  if (counts?.splits?.querySelector("[aria-pressed=true]")) counts.folded.open = false; // said by one key
}
