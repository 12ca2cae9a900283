// The code stands in the fragment, which no server sees: hand it over in the body of a post.
const form = document.querySelector("[data-door]");
function open() {
  const code = location.hash.slice(1);
  if (!code) return;
  history.replaceState(null, "", location.pathname); // not in the history, nor in a shared address
  form.elements.code.value = code;
  document.querySelector("[data-opening]").hidden = false;
  form.hidden = true;
  form.submit();
}

open();
addEventListener("hashchange", open); // another card, scanned into the same tab
