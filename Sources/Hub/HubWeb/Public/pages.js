// The pages. A hub sends all of them with the first one: whatever is chosen opens at once, also when the hub has gone away.
// Where no hub is, another file of this name stands in its place.
import * as bulbs from "./pages/bulbs.js";
import * as debug from "./pages/debug.js";
import * as devices from "./pages/devices.js";
import * as explorer from "./pages/explorer.js";
import * as history from "./pages/history.js";
import * as map from "./pages/map.js";
import * as nightlights from "./pages/nightlights.js";
import * as overflow from "./pages/overflow.js";
import * as scanner from "./pages/scanner.js";
import * as settings from "./pages/settings.js";
import * as wifi from "./pages/wifi.js";

export const pages = {
    scanner,
    map,
    history,
    devices,
    settings,
    debug,
    wifi,
    nightlights,
    bulbs,
    explorer,
    overflow,
};
