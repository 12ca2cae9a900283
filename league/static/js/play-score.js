// The score while hands wait in this phone, by what the server said each result pays. Shown only:
// the server counts again when it gets them.
const PLAIN = /^(client_id|number|dealer|bid|tricks|outcome|round|confirm_unlikely|won\d)$/;
const SUITS = "shdc";

/* Each player counts their own tricks; who won the bid is paid for it. */
function paidBySeat({ bid, ...fields }, maker, points, sides, all) {
  const won = Array.from({ length: sides }, (_, seat) => (seat === maker ? 0 : Number(fields[`won${seat}`] ?? 0)));
  const rest = all - won.reduce((sum, tricks) => sum + tricks);
  const pays = points[maker >= 0 ? `${bid} ${rest}` : "passed"];
  return pays ? won.map((tricks, seat) => (seat === maker ? pays[0] : tricks * pays[1])) : null;
}

/* What a hand pays each side; null where only the server can say. */
function paid({ maker, trump, alone, partner, ...fields }, points, sides, all) {
  const names = Object.keys(fields);
  const bySeat = names.some((name) => name.startsWith("won"));
  if (maker === "passed" && !bySeat) return Array(sides).fill(0);
  if (!maker || !names.every((name) => PLAIN.test(name)) || (!fields.bid && trump && !SUITS.includes(trump))) return null;
  if (bySeat) return paidBySeat(fields, Number(maker), points, sides, all);
  const result = fields.outcome ?? fields.tricks;
  const called = partner >= 0 ? " called" : "";
  const pays = points[fields.bid ? `${fields.bid} ${result}` : `${result}${alone === "on" ? " alone" : called}`];
  if (!pays) return null;
  const place = (side) => (called ? { [maker]: 0, [partner]: 1 }[side] ?? 2 : (side - (maker % sides) + sides) % sides);
  return Array.from({ length: sides }, (_, side) => pays[place(side)]);
}

function pointsOf(form) {
  const results = (form?.dataset.points ?? "").split(";").filter(Boolean);
  return Object.fromEntries(results.map((result) => [result.split(":")[0], result.split(":")[1].split(",").map(Number)]));
}

/* What a hand pays, beside the names: "Rose & Ann +2"; nothing where only the server can say. */
export function pays(fields, form, table) {
  const names = [...table.querySelectorAll("#score .score-side dt")].map((name) => name.textContent.trim());
  const gains = paid(fields, pointsOf(form), names.length, form.dataset.tricks) ?? [];
  const signed = (gain) => (gain < 0 ? `−${-gain}` : `+${gain}`);
  return names.map((name, side) => gains[side] && `${name} ${signed(gains[side])}`).filter(Boolean).join(", ");
}

/* The score with these hands: `known` is false where one of them is the server's to judge. */
export function counted(hands, form, table) {
  const points = pointsOf(form);
  let score = table.dataset.score.trim().split(" ").map(Number);
  let known = true;
  for (const { fields } of hands) {
    const gains = paid(fields, points, score.length, form?.dataset.tricks);
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

/* Puts a score into the page's head. By it: the side that has `won`, or "" and whether a side
   `mayHaveWon`, where the rules choose among several or ask for more than the score. */
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
  if (!waiting || !known || !target) return { won: "", mayHaveWon: false };
  const reached = sides.filter((_, place) => score[place] >= target);
  const isPlain = reached.length === 1 && !("judged" in table.dataset);
  return { won: isPlain ? reached[0].querySelector("dt").textContent.trim() : "", mayHaveWon: reached.length > 0 };
}
