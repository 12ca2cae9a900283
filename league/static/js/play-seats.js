// The table as it is drawn for "who made trump": turned so that this phone's own seat is at the
// bottom, with the dealer and the leader marked as the form has them.
import { remember, remembered } from "./device.js";

const KEPT = "my-seat"; // a person, not a seat: at the next table the phone knows them again

const drawn = (form) => form.querySelector("[data-round]");
const seats = (round) => [...round.querySelectorAll("label")];

/* Whose seat it is: as chosen on this phone, else as the account that looks is known. */
function mine(round) {
  const person = remembered(KEPT);
  const chosen = seats(round).findIndex((seat) => seat.dataset.person === person);
  if (chosen >= 0 || person) return chosen;
  return Number(round.dataset.mine ?? -1);
}

function turn(round) {
  const own = mine(round);
  const all = seats(round);
  const bottom = own < 0 ? all.length < 5 && all.length >> 1 : own; // nobody's own: North is above
  round.querySelector(".you")?.remove();
  all.forEach((seat, place) => {
    seat.dataset.place = (place - bottom + all.length) % all.length;
    if (place !== own) return;
    const you = Object.assign(document.createElement("span"), { className: "mark you", textContent: round.dataset.you });
    seat.append(you);
  });
}

/* Partners stand in the order in which the makers are drawn, "Nobody" after them. */
function orderPartners(form) {
  const partners = form.querySelector("[data-partner] .choice");
  if (!partners) return;
  const place = new Map(seats(drawn(form)).map((seat) => [seat.querySelector("input").value, seat.getBoundingClientRect()]));
  const inOrder = [...place.keys()].sort((a, b) => place.get(a).top - place.get(b).top || place.get(a).left - place.get(b).left);
  for (const value of [...inOrder, "nobody"]) {
    const key = partners.querySelector(`[value="${value}"]`)?.closest("label");
    if (key) partners.append(key);
  }
}

/* The seat that leads; none while it is not said who is alone, or where a fold says more of it. */
function leader(form, all, dealer) {
  const { alone, lone_maker: other, lone_defender: against } = form.elements;
  const rule = drawn(form).dataset.loneLead; // without it eldest hand always leads
  const lone = all.findIndex((seat) => seat.querySelector("input").checked);
  if (!rule || !alone.checked) return all[(dealer + 1) % all.length];
  if (lone < 0 || other?.value || against?.value) return undefined;
  const start = rule === "left_of_loner" ? lone : dealer;
  const rests = (seat) => seat !== all[lone] && seat.dataset.side === all[lone].dataset.side;
  return all.map((_, n) => all[(start + n + 1) % all.length]).find((seat) => !rests(seat));
}

function mark(form) {
  const all = seats(drawn(form));
  const dealer = Number(form.elements.dealer.value);
  const put = (name, seat) => {
    const sign = drawn(form).querySelector(name);
    sign?.toggleAttribute("data-unsure", !seat);
    if (sign && seat && sign.parentElement !== seat) seat.append(sign);
  };
  put(".dealer", all[dealer]);
  put(".leads", leader(form, all, dealer));
  const first = form.querySelector("[data-first-dealer] :checked")?.closest("label");
  if (first) form.querySelector("[data-first-dealer] summary b").textContent = first.dataset.first;
}

/* A tap on the first dealer closes the question; the arrow keys go on through it. */
function closeWhenTapped({ detail, target, currentTarget }) {
  if (detail && target.closest("label")) currentTarget.open = false;
}

/* After a game a phone answers for its own side; for the others once it has been passed on. */
export function startAnswers(root) {
  const person = remembered(KEPT) || root.querySelector("[data-answers]")?.dataset.me;
  const keys = [...root.querySelectorAll("[data-answers] [data-people]")];
  const own = person && keys.find((key) => key.dataset.people.split(" ").includes(person));
  const pass = root.querySelector("[data-pass]");
  if (!own || !pass) return;
  const others = [...keys.filter((key) => key !== own), root.querySelector("[data-pass-note]")];
  const turnTo = (passed) => {
    others.forEach((part) => (part.hidden = !passed));
    own.hidden = passed;
    pass.hidden = passed;
  };
  if (!own.matches(".primary")) { // who won has only to pass it on
    pass.classList.add("primary", "tall");
    own.parentElement.before(pass);
  } else if (keys.filter((key) => key.matches(".primary")).length === 1) { // nobody else confirms
    pass.textContent = pass.dataset.toDispute;
  }
  pass.addEventListener("click", () => turnTo(true));
  turnTo(false);
}

/* A dispute of the other side is folded away: it is theirs to take back. */
export function startWithdrawal(root) {
  const form = root.querySelector("[data-withdraw]");
  const person = remembered(KEPT) || form?.dataset.me;
  if (!form || !person || !form.dataset.others.split(" ").includes(person)) return;
  const fold = root.querySelector("[data-others-dispute]");
  fold.append(form);
  fold.hidden = false;
}

export function startSeats(form) {
  if (!drawn(form)) return;
  turn(drawn(form));
  orderPartners(form);
  mark(form);
  form.addEventListener("change", () => mark(form));
  form.querySelector("[data-first-dealer]")?.addEventListener("click", closeWhenTapped);
  const open = form.querySelector("[data-my-seat]");
  const asked = document.querySelector("#my-seat");
  if (!open || !asked) return;
  open.hidden = false;
  open.addEventListener("click", () => {
    const own = seats(drawn(form))[mine(drawn(form))]?.dataset.person;
    asked.querySelectorAll(".key").forEach((key) => key.setAttribute("aria-pressed", key.dataset.sit === own));
    asked.showModal();
  });
  asked.addEventListener("click", ({ target }) => {
    const key = target.closest("[data-sit]");
    if (!key) return;
    remember(KEPT, key.dataset.sit || "nobody");
    turn(drawn(form));
    orderPartners(form);
    asked.close();
  });
}
