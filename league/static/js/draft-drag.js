// The floor plan: a name slip may be dragged onto another; they change places as by two taps.
let held = null;

const slipOf = (event) => event.target.closest?.(".floor [data-member]");

document.addEventListener("dragstart", (event) => {
  held = slipOf(event);
  if (!held) return;
  held.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", held.dataset.member);
});

document.addEventListener("dragover", (event) => {
  const under = slipOf(event);
  mark(held && under !== held ? under : null);
  if (held && under) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const under = slipOf(event);
  if (!held || !under || under === held) return;
  event.preventDefault();
  swap(held.dataset.member, under.dataset.member);
});

document.addEventListener("dragend", () => {
  held?.classList.remove("dragged");
  held = null;
  mark(null);
});

function mark(slip) {
  for (const other of document.querySelectorAll(".slip.over")) other.classList.toggle("over", other === slip);
  slip?.classList.add("over");
}

function swap(first, second) {
  const form = document.getElementById("floor");
  for (const [name, value] of Object.entries({ first, second })) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    form.append(field);
  }
  form.requestSubmit();
}
