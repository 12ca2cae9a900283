// What every page runs: the theme switch (in a cookie: the server draws it at once) and the zone of its times.
const YEAR = 60 * 60 * 24 * 365;
const ORDER = ["auto", "dark", "light"];

export function currentTheme() {
  return document.documentElement.dataset.theme ?? "auto";
}

export function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}

export function startTheme(root) {
  for (const button of root.querySelectorAll("[data-theme-switch]")) {
    const show = () => {
      button.querySelector("[data-theme-name]").textContent = button.dataset[currentTheme()];
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      setTheme(ORDER[(ORDER.indexOf(currentTheme()) + 1) % ORDER.length]);
      show();
    });
    show();
  }
}

/* Every time is the club's own: say where, to somebody whose clock is another. */
export function nameZone() {
  const zone = document.querySelector("[data-zone]");
  if (zone) zone.hidden = zone.dataset.zone === Intl.DateTimeFormat().resolvedOptions().timeZone;
}
