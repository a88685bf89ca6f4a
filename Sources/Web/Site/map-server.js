// SPDX-License-Identifier: Apache-2.0
// The one map server that pages without a hub may show pictures of. What a web server sends with them cannot know which one
// that is: it allows any, and the page has its browser refuse all others before anything else is done.

// Where the address is remembered: what the engine keeps comes after the page.
const place = "lantern-map-server";
const shape = /^(https?:\/\/)(\{s\}\.)?((?:[A-Za-z\d-]{1,63}\.)*[A-Za-z\d-]{1,63})(?::(\d{1,5}))?\//;

/// The scheme, host and port of a map server as a policy has them, like a hub's `ContentPolicy`; null where that cannot be
/// told for sure.
export function sourceOf(address) {
    const [, scheme, many, host, port] = shape.exec(address ?? "") ?? [];
    if (!host || host.length > 253 || port && !(port >= 1 && port <= 65535)) return null;
    if (many && !host.includes(".")) return null;
    return `${scheme}${many ? "*." : ""}${host.toLowerCase()}${port ? `:${Number(port)}` : ""}`;
}

/// Has the browser refuse pictures from everywhere but here and the server that is remembered; for as long as the page is open.
export function restrictPictures(isRemembered) {
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = ["img-src 'self'", isRemembered && sourceOf(kept())].filter(Boolean).join(" ");
    document.head.append(policy);
}

/// Remembers for the next time which server the settings name.
export function rememberServer({ map }) {
    const server = map?.tiles === "server" ? map.server : null;
    if (server === kept()) return;
    try {
        if (server) localStorage.setItem(place, server);
        else localStorage.removeItem(place);
    } catch {
        // What keeps nothing has no map server either.
    }
}

function kept() {
    try {
        return localStorage.getItem(place);
    } catch {
        return null;
    }
}
