// Tricks in a bid game: the key that makes the bid is marked, and three players' counts are one tap.
const MORE = [0, 1, -1, 2]; // tricks above the bid, the likeliest first
const MOST = 9; // keys with three counts

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

/* Every way in which the others share what a bidder with so many tricks leaves them. */
function shares(maker, own, all) {
  const rest = all - own;
  return Array.from({ length: rest + 1 }, (_, first) => {
    const others = [first, rest - first];
    return [0, 1, 2].map((seat) => (seat === maker ? own : others.shift()));
  });
}

class Counts {
  constructor(form, box) {
    this.form = form;
    this.inputs = [...box.querySelectorAll("input[name^=won]")];
    this.splits = form.querySelector("[data-splits]");
    this.all = Number(form.dataset.tricks);
    for (const button of box.querySelectorAll(".step")) button.hidden = false;
    const folded = box.closest("details");
    if (folded) folded.open = this.inputs.some((input) => input.value !== "");
    box.addEventListener("click", ({ target }) => {
      const step = target.closest(".step");
      if (step) this.step(step.parentElement.querySelector("input[type=number]"), Number(step.dataset.step));
    });
    this.splits?.addEventListener("click", ({ target }) => this.take(target.closest("button")));
  }

  step(input, by) {
    const from = input.value === "" && input.placeholder ? Number(input.placeholder) : count(input);
    input.value = Math.min(this.all, Math.max(0, from + by));
    changed(input);
  }

  take(button) {
    if (!button) return;
    button.value.split(" ").forEach((won, seat) => (this.inputs[seat].value = won));
    changed(this.inputs[0]);
  }

  /* What the others left is the maker's, until somebody writes another number there. */
  draw() {
    const maker = Number(this.form.querySelector("[name=maker]:checked")?.value ?? NaN);
    const others = this.inputs.reduce((sum, input, seat) => sum + (seat === maker ? 0 : count(input)), 0);
    const begun = this.inputs.some((input) => input.value !== "");
    this.inputs.forEach((input, seat) => {
      input.placeholder = seat === maker && begun ? Math.max(0, this.all - others) : "0";
      const out = this.form.elements[`out${seat}`];
      if (out) out.disabled = seat === maker;
    });
    if (this.splits) this.drawSplits(maker, needed(this.form));
  }

  drawSplits(maker, needs) {
    const ready = maker >= 0 && !Number.isNaN(needs);
    this.splits.hidden = !ready;
    if (!ready) return;
    const owns = MORE.map((more) => needs + more).filter((own) => own >= 0 && own <= this.all);
    const ways = owns.flatMap((own) => shares(maker, own, this.all)).slice(0, MOST);
    const now = this.inputs.map((input) => input.value).join(" ");
    this.splits.replaceChildren(
      ...ways.map((way) => {
        const key = Object.assign(document.createElement("button"), { type: "button", className: "key" });
        key.value = way.join(" ");
        key.textContent = way.join("–");
        key.setAttribute("aria-pressed", key.value === now);
        return key;
      }),
    );
  }
}

export function startTricks(form) {
  const box = form.querySelector("[data-counts]");
  const counts = box && new Counts(form, box);
  const draw = () => (markBid(form), counts?.draw());
  form.addEventListener("change", draw);
  draw();
}
