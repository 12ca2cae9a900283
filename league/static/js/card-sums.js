// A match card while it is filled in: who meets in each game, and how the match stands so far.
(() => {
  const games = [...document.querySelectorAll("[data-home-pair]")];
  const total = document.querySelector("[data-card-total]");
  if (!games.length) return;
  const { and, target } = games[0].parentElement.dataset;
  const short = document.getElementById("id_short");
  const isOver = (score) => !target || short?.checked || Math.max(...score) >= Number(target);
  const chosen = (side, pair) => [1, 2]
    .map((seat) => document.getElementById(`id_${side}${pair}_${seat}`))
    .filter((select) => select && select.value)
    .map((select) => select.selectedOptions[0].text);
  const hasPlayers = (side) => games.some((game) => chosen(side, game.dataset[`${side}Pair`]).length);

  const read = (game) => {
    const [home, away] = [...game.querySelectorAll("input")].map((input) => parseInt(input.value, 10));
    if (!Number.isNaN(home) && !Number.isNaN(away)) return isOver([home, away]) ? [home, away] : null;
    const missing = ["home", "away"].map((side) => hasPlayers(side) && !chosen(side, game.dataset[`${side}Pair`]).length);
    if (!hasPlayers("home") || !hasPlayers("away") || missing[0] === missing[1]) return null;
    return missing[0] ? [0, 1] : [1, 0];
  };

  const show = () => {
    const won = [0, 0];
    for (const game of games) {
      const names = ["home", "away"].map((side) => chosen(side, game.dataset[`${side}Pair`]).join(and));
      const line = game.querySelector("[data-pairs]");
      line.hidden = !(names[0] && names[1]);
      line.textContent = names.join(" – ");
      const score = read(game);
      if (score && score[0] !== score[1]) won[score[0] > score[1] ? 0 : 1] += 1;
    }
    if (!total) return;
    total.hidden = won[0] + won[1] === 0;
    total.querySelector("[data-total-games]").textContent = won.join("–");
  };

  document.addEventListener("change", show);
  document.addEventListener("input", show);
  show();
})();
