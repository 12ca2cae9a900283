// The score while hands wait in this phone, by what the server said each result pays. Shown only:
// the server counts again when it gets them.
const PLAIN = ["client_id", "number", "dealer", "maker", "alone", "bid", "tricks", "outcome", "trump", "round"];
const SUITS = "shdc";

/* What a hand pays each side; null where only the server can say. */
function paid({ maker, trump, alone, ...fields }, points, sides) {
  if (maker === "passed" && !("won0" in fields)) return Array(sides).fill(0);
  const known = Object.keys(fields).every((name) => PLAIN.includes(name) || name === "confirm_unlikely");
  const result = fields.outcome ?? fields.tricks;
  const pays = points[fields.bid ? `${fields.bid} ${result}` : `${result}${alone === "on" ? " alone" : ""}`];
  if (!known || !maker || !pays || (!fields.bid && trump && !SUITS.includes(trump))) return null;
  return pays.map((_, side) => pays[(side - (maker % sides) + sides) % sides]);
}

function pointsOf(form) {
  const results = (form?.dataset.points ?? "").split(";").filter(Boolean);
  return Object.fromEntries(results.map((result) => [result.split(":")[0], result.split(":")[1].split(",").map(Number)]));
}

/* What a hand pays, beside the names: "Rose & Ann +2"; nothing where only the server can say. */
export function pays(fields, form, table) {
  const names = [...table.querySelectorAll("#score .score-side dt")].map((name) => name.textContent.trim());
  const gains = paid(fields, pointsOf(form), names.length) ?? [];
  const signed = (gain) => (gain < 0 ? `−${-gain}` : `+${gain}`);
  return names.map((name, side) => gains[side] && `${name} ${signed(gains[side])}`).filter(Boolean).join(", ");
}

/* The score with these hands: `known` is false where one of them is the server's to judge. */
export function counted(hands, form, table) {
  const points = pointsOf(form);
  let score = table.dataset.score.trim().split(" ").map(Number);
  let known = true;
  for (const { fields } of hands) {
    const gains = paid(fields, points, score.length);
    known &&= gains !== null;
    if (gains) score = score.map((number, side) => number + gains[side]);
  }
  return { score, known };
}

/* "needs 4" with the number of now; the page said it for the score of `before`. */
function showNeed(line, before, now, target) {
  if (!line) return;
  line.dataset.said ??= line.textContent;
  const said = Number(line.dataset.said.match(/\d+/));
  const gained = before + said === target ? now - before : before - now; // some games count down
  line.textContent = line.dataset.said.replace(/\d+/, Math.max(said - gained, 0));
  line.hidden = said <= gained;
}

/* Puts a score into the page's head; the side that has reached the target by it, if any. */
export function showScore({ score, known }, table, waiting) {
  const head = table.querySelector("#score");
  head.toggleAttribute("data-counted", waiting && known);
  const sides = [...head.querySelectorAll(".score-side")];
  const numbers = known ? score : table.dataset.score.trim().split(" ").map(Number);
  const before = table.dataset.score.trim().split(" ").map(Number);
  const target = Number(table.dataset.target);
  sides.forEach((side, place) => {
    side.querySelector(".score-number").textContent = String(numbers[place]).replace("-", "−");
    showNeed(side.querySelector(".needs"), before[place], numbers[place], target);
  });
  head.querySelector(".score-sides").dataset.signs = Math.max(...numbers.map((number) => String(number).length));
  if (!waiting || !known || !target || "judged" in table.dataset) return "";
  return sides[score.findIndex((number) => number >= target)]?.querySelector("dt").textContent ?? "";
}
