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
