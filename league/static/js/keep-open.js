// A part that is fetched again keeps those of its details open that somebody had opened.
const opened = new Set();

document.addEventListener(
  "toggle",
  (event) => {
    const { target } = event;
    if (!target.isConnected || !target.id || !target.matches("details")) return;
    if (target.open) opened.add(target.id);
    else opened.delete(target.id);
  },
  true,
);

function openAgain() {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
}

document.addEventListener("htmx:load", openAgain);
document.addEventListener("live:refreshed", openAgain);
