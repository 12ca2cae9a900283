// Switched off by the server: forgets what was kept and takes itself away.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const names = (await caches.keys()).filter((name) => name.startsWith("table-page-"));
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
