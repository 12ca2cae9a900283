// On https: has the service worker keep this page as it now is, for a reload without a network.
export async function keepShell(address) {
  if (!navigator.serviceWorker) return; // plain http, or a private window
  await navigator.serviceWorker.register(address);
  const { active } = await navigator.serviceWorker.ready;
  const isOurs = (url) => url.startsWith(location.origin) && new URL(url).pathname.startsWith("/static/");
  const assets = performance.getEntriesByType("resource").map(({ name }) => name).filter(isOurs);
  assets.push(new URL("./second-copy.js", import.meta.url).href); // loaded only after the first hand
  active.postMessage({ page: location.pathname, assets: [...new Set(assets)] });
}
