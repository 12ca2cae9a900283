// What each player took: steps, the rest on one tap, and of three players all counts on one.

const MORE = [0, 1, -1, 2]; // tricks above the bid, the likeliest first
const MOST = 10; // keys with three counts: two rows of a phone

const count = (input) => Number(input.value || 0);

function changed(input) {
  input.dispatchEvent(new Event("change", { bubbles: true }));
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

export class Counts {
  /* `needed()`: how many tricks the bid needs; NaN before one is chosen. */
  constructor(form, box, needed) {
    Object.assign(this, { form, needed });
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
    if (this.splits) this.drawSplits(maker, rest);
  }

  /* Keys that stay the same: one under the thumb must not go while it is pressed. */
  drawSplits(maker, rest) {
    const needs = this.needed();
    this.splits.hidden = this.nobodyBid;
    if (maker >= 0 && !Number.isNaN(needs)) this.offerSplits(maker, needs);
    else if (this.inputs.every((input) => input.value === "")) this.offerNone(); // the next hand
    const isTyped = maker >= 0 && this.inputs.every((input, seat) => seat === maker || input.value !== "");
    const now = this.inputs.map((input, seat) => (isTyped && seat === maker ? rest : input.value)).join(" ");
    for (const key of this.splits.children) key.setAttribute("aria-pressed", key.value === now);
    if (isTyped && !this.splits.querySelector("[aria-pressed=true]")) this.folded.open = true; // no key says it
  }

  offerNone() {
    this.offered = "";
    this.splits.replaceChildren();
    this.folded.open = this.nobodyBid;
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
