// SPDX-License-Identifier: Apache-2.0
// Keeps the pages of an installed app for when its hub cannot be reached, and brings one back when somebody touches a
// notification. What the hub says is never kept here.
const store = "pages", patience = 4000, most = 500;

/// Where a file is kept: its address without the version of the pages, so that there is one of each, the newest.
const place = (address) => address.replace(/\/v\/[^/]+\//, "/");

/// Keeps a file. A copy is from nowhere, so what it imports is looked for where the file is asked for later.
const keep = (cache, address, answer) => cache.put(place(address), new Response(answer.clone().body, answer));

/// What a file of the pages brings: links of HTML, modules of JavaScript.
function broughtBy(text, type) {
    const found = type.includes("html")
        ? text.matchAll(/(?:href|src)="([^":#]+)"/g)
        : text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g);
    return [...found].map(([, address]) => address);
}

/// Fetches all pages, from the first one on.
async function fetchAll() {
    const cache = await caches.open(store),
        seen = new Set(),
        waiting = [new URL("./", self.registration.scope).href];
    while (waiting.length && seen.size < most) {
        const address = waiting.pop();
        if (seen.has(address) || !address.startsWith(self.registration.scope)) continue;
        seen.add(address);
        const answer = await fetch(address).catch(() => null);
        if (!answer?.ok) continue;
        await keep(cache, address, answer);
        const type = answer.headers.get("Content-Type") ?? "";
        if (!/html|javascript/.test(type)) continue;
        waiting.push(...broughtBy(await answer.text(), type).map((one) => new URL(one, address).href));
    }
}

/// The hub's file, which is kept; that which was kept where the hub does not answer.
async function answer(request) {
    const cache = await caches.open(store);
    const wanted = request.mode === "navigate" ? "./" : place(request.url);
    const kept = await cache.match(wanted, { ignoreSearch: true });
    try {
        const fresh = await fetch(request, kept ? { signal: AbortSignal.timeout(patience) } : {});
        if (fresh.ok && fresh.type === "basic") await keep(cache, request.url, fresh);
        return fresh;
    } catch (error) {
        if (kept) return kept;
        throw error;
    }
}

addEventListener("install", (event) => event.waitUntil(fetchAll().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("fetch", (event) => {
    const { request } = event, { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (/^\/(api|browser|metrics|healthz)(\/|$)/.test(pathname)) return;
    event.respondWith(answer(request));
});

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(
        self.clients.matchAll({ type: "window" }).then(([page]) =>
            page ? page.focus() : self.clients.openWindow("./")
        ),
    );
});
