// An organiser's decision about a game: a score typed or a winner tapped chooses its option.
for (const fields of document.querySelectorAll("[data-chooses]")) {
  const option = document.querySelector(`[name=decision][value=${fields.dataset.chooses}]`);
  for (const event of ["input", "click"]) fields.addEventListener(event, () => (option.checked = true));
}
