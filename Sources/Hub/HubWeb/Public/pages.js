// The pages: each but the first is fetched when it is opened, or behind the one that is; so all are there when the hub goes away.
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

let styled;

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
