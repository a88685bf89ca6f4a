// What stands in the place of a page that is not there: that it comes, or why it does not.
import { fill, h, say } from "./dom.js";
import { button } from "./controls.js";
import { busyArc } from "./marks.js";
import { style } from "./pages.js";

// So many milliseconds a hub that is back has for a file that was asked for before it went.
const patience = 10000;

/// Fetches the module of a page, and the styles; `again` does not wait for ever for what hangs since the hub went.
export async function fetchPage(fetchOne, again) {
    const both = Promise.all([fetchOne(), style()]);
    const late = (_, refuse) => setTimeout(() => refuse(new Error("It does not come.")), patience);
    const [page] = await (again ? Promise.race([both, new Promise(late)]) : both);
    return page;
}

/// Whether all can be loaded anew.
export const isServed = () =>
    fetch(location.pathname, { cache: "no-store" }).then(({ ok }) => ok, () => false);

/// Draws it, once for each state: an arc turns on, and a button keeps the focus.
export function drawWaiting(app) {
    const { main, hub: { state: { hub, link, refusal }, transport: { words } } } = app;
    const isComing = link === "connecting" || (link !== "away" && app.isComing);
    const [title, text] = isComing
        ? ["", words.asking]
        : link === "away"
        ? [app.awayTitle, refusal ?? words.check]
        : ["This page could not be fetched", "Check the network, then try again."];
    const shape = JSON.stringify([title, text, Boolean(hub)]);
    main.className = "reading";
    say(app.title, "Lantern");
    if (main.firstChild?.shape === shape) return;
    const tryAgain = () => {
        app.hub.tryNow();
        app.route();
    };
    const element = h(
        "div",
        { class: "empty" },
        isComing ? busyArc(24) : h("h2", title),
        h("p", text),
        // Without any word of the hub there is no page that could be tried.
        isComing || !hub ? null : button("Try again", tryAgain),
    );
    element.shape = shape;
    fill(main, element);
}
