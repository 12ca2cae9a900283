// On https: has the service worker keep this page as it now is, for a reload without a network.
export async function keepShell(address) {
  if (!navigator.serviceWorker) return; // plain http, or a private window
  await navigator.serviceWorker.register(address);
  const { active } = await navigator.serviceWorker.ready;
  const isOurs = (url) => url.startsWith(location.origin) && new URL(url).pathname.startsWith("/static/");
  const assets = performance.getEntriesByType("resource").map(({ name }) => name).filter(isOurs);
  for (const later of ["./second-copy.js", "./play-typing.js", "./play-counts.js"]) assets.push(new URL(later, import.meta.url).href); // not loaded at first
  active.postMessage({ page: location.pathname, assets: [...new Set(assets)] });
}
