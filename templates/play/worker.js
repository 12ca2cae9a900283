// Keeps a table's entry page and what it is drawn with, so that a reload without a network shows
// it again with the hands that wait. No other page of the site passes through here: the scope is
// the tables' own addresses. Raise the number when what is kept changes.
const KEPT = "table-page-1";
const LONGEST = 24 * 60 * 60 * 1000; // as long as a table's cookie lives
const SHUT = [403, 404, 410];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(dropOlder().then(() => self.clients.claim())));
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && isTable(pathname)) event.respondWith(pageOf(request));
  else if (pathname.startsWith("{{ static }}")) event.respondWith(assetOf(request));
});

const isTable = (path) => /^[^/]+\/$/.test(path.slice(new URL(self.registration.scope).pathname.length));

async function dropOlder() {
  const names = (await caches.keys()).filter((name) => name.startsWith("table-page-") && name !== KEPT);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/* The page tells what it is drawn with; the rest of what was kept goes. */
async function keep({ page, assets }) {
  const cache = await caches.open(KEPT);
  await put(cache, page, await fetch(page, { cache: "no-store", credentials: "same-origin" }));
  const wanted = [page, ...assets].map((address) => new URL(address, self.location).href);
  const held = (await cache.keys()).map((request) => request.url);
  await Promise.all(held.filter((url) => !wanted.includes(url)).map((url) => cache.delete(url)));
  await Promise.all(assets.filter((url) => !held.includes(url)).map((url) => cache.add(url)));
}

async function put(cache, page, answer) {
  if (SHUT.includes(answer.status)) await cache.delete(page);
  else if (answer.ok && !answer.redirected) await cache.put(page, answer);
}

async function pageOf(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (SHUT.includes(answer.status)) await cache.delete(request.url);
    return answer;
  } catch {
    const kept = await cache.match(request.url, { ignoreVary: true });
    const isFresh = kept && Date.now() - Date.parse(kept.headers.get("Date")) < LONGEST;
    return isFresh ? kept : Response.error();
  }
}

async function assetOf(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request.url, { cacheName: KEPT, ignoreVary: true })) ?? Response.error();
  }
}
