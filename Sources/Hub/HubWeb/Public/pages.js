// The pages: each but the first is fetched when it is opened, or when there is nothing else to do; so all are there when the hub
// goes away.
import * as scanner from "./pages/scanner.js";

export const pages = {
    scanner,
    map: () => import("./pages/map.js"),
    history: () => import("./pages/history.js"),
    drives: () => import("./pages/drives.js"),
    devices: () => import("./pages/devices.js"),
    settings: () => import("./pages/settings.js"),
    debug: () => import("./pages/debug.js"),
    wifi: () => import("./pages/wifi.js"),
    nightlights: () => import("./pages/nightlights.js"),
    bulbs: () => import("./pages/bulbs.js"),
    explorer: () => import("./pages/explorer.js"),
    overflow: () => import("./pages/overflow.js"),
};

// Milliseconds that a page has for itself.
const calm = 2000;

let styled, fetched, later;

/// Takes up the style sheets of the other pages, which the first one does not wait for; they stand in `index.html`.
export function style() {
    styled ??= Promise.all(
        [...document.querySelectorAll("link[rel=stylesheet][disabled]")].map((link) =>
            new Promise((resolve, reject) => {
                link.addEventListener("load", resolve, { once: true });
                link.addEventListener("error", reject, { once: true });
                link.disabled = false;
                // A browser that does not know that a sheet can wait has it already.
                if (link.sheet) resolve();
            }).catch((error) => {
                link.disabled = true;
                throw error;
            })
        ),
    ).catch((error) => {
        styled = undefined;
        throw error;
    });
    return styled;
}

const idle = () =>
    new Promise((done) =>
        globalThis.requestIdleCallback ? requestIdleCallback(done, { timeout: calm }) : setTimeout(done)
    );

/// Fetches what the other pages need, one after the other.
export function fetchOthers() {
    fetched ??= (async () => {
        for (const fetchOne of [style, ...Object.values(pages)]) {
            if (typeof fetchOne !== "function") continue;
            await idle();
            await fetchOne();
        }
    })().catch((error) => {
        fetched = undefined;
        throw error;
    });
    return fetched;
}

/// Fetches them when no page was opened for a while, unless the hub is away by then.
export function fetchLater(app) {
    clearTimeout(later);
    later = setTimeout(() => app.away || fetchOthers().catch(() => {}), calm);
}
