// What the Wi-Fi set-up shows while there is no link to the device: it is opened, refused, or has ended.
import { h, say } from "../dom.js";
import { busyArc, symbol } from "../marks.js";
import { air } from "../text.js";
import { button } from "../controls.js";
import { heading } from "./wifi-parts.js";

/// The device is connected to, or could not be.
export function connectingView(page) {
    const { app } = page;
    const text = h("p", { class: "second" });
    const title = heading("Connecting");
    const busy = h("span", { class: "wifi-busy" }, busyArc(24));
    const again = button("Try again", () => page.connect(page.tried), { kind: "main" });
    const give = h("a", { class: "button", href: "#/wifi" }, "Cancel");
    const element = h(
        "section",
        { class: "card wifi-wait" },
        busy,
        h("div", { class: "grow" }, title, text, h("div", { class: "actions" }, again, give)),
    );
    return {
        element,
        refresh() {
            page.tried = page.connecting ?? page.setup?.job.device ?? page.tried;
            const refused = page.refused;
            busy.hidden = Boolean(refused);
            again.hidden = !refused;
            say(title, refused ? "Couldn’t connect" : "Connecting");
            say(
                text,
                refused ??
                    (app.away ? `${app.notKnown}.` : "Lantern looks for the device and connects to it."),
            );
            say(give, refused ? "Other device" : "Cancel");
        },
    };
}

/// The link has ended before it was done.
export function endedView(page) {
    const { setup } = page;
    const reason = setup.job.reason ?? "Somebody stopped it.";
    return {
        element: h(
            "section",
            { class: "card wifi-wait" },
            h("span", { class: "wifi-mark failed" }, symbol("warn")),
            h(
                "div",
                { class: "grow" },
                heading("The device is not connected any more"),
                h("p", { class: "second" }, air(reason)),
                h(
                    "div",
                    { class: "actions" },
                    h(
                        "a",
                        { class: "button main", href: `#/wifi/device/${setup.job.device}` },
                        "Connect again",
                    ),
                    h("a", { class: "button", href: "#/wifi" }, "Other device"),
                ),
            ),
        ),
    };
}
