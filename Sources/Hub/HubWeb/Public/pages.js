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
