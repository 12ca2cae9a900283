// On a phone, a bracket opens at the round that is being played.
for (const round of document.querySelectorAll(".tree-round[data-now]")) {
  const scroll = round.closest(".tree-scroll");
  scroll.scrollLeft += round.getBoundingClientRect().left - scroll.getBoundingClientRect().left;
}
