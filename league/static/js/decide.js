// Typing in a box or tapping a winner chooses the option that it belongs to: data-chooses finds it.
for (const fields of document.querySelectorAll("[data-chooses]")) {
  const option = document.querySelector(fields.dataset.chooses);
  const isBox = fields.matches("input");
  for (const event of isBox ? ["input"] : ["input", "click"])
    fields.addEventListener(event, () => (option.checked = true));
  if (isBox && fields.value !== fields.defaultValue) option.checked = true; // typed before this ran
  // The server adds a changed name without the tick, too.
  if (isBox) option.addEventListener("change", () => option.checked || (fields.value = fields.defaultValue));
}

// What was missing of a decision is no longer said once it is there.
document.querySelector("[name=decision]")?.form.addEventListener("input", ({ target, currentTarget }) => {
  currentTarget.querySelector("[role=alert]")?.remove(); // each field says its own
  target.closest(".field:has(.errorlist), fieldset")?.querySelectorAll(".errorlist").forEach((list) => list.remove());
});

// A link to a field opens what the field is folded into.
for (const link of document.querySelectorAll('details a[href^="#"]'))
  link.addEventListener("click", () => document.querySelector(link.hash)?.closest("details")?.setAttribute("open", ""));

// The score that the points typed so far would make, as the server works it out; the newest counts.
const adjusting = document.querySelector("[data-points]");
let pending;
adjusting?.addEventListener("input", async () => {
  pending?.abort();
  pending = new AbortController();
  const body = new URLSearchParams(new FormData(adjusting));
  const sent = { method: "POST", body, headers: { "HX-Request": "true" }, signal: pending.signal };
  const answer = await fetch(adjusting.dataset.points, sent).catch(() => null);
  if (!answer?.ok) return;
  const words = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  adjusting.querySelector("[data-effect]").replaceChildren(...words.childNodes);
});
