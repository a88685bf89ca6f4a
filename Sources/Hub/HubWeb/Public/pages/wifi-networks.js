// The second step: which network. What the device hears, folded by name; one that hides its name is typed.
import { fill, h, mark, say } from "../dom.js";
import { busyArc, symbol, wifiBars } from "../marks.js";
import { air, counted, dBm } from "../text.js";
import { button } from "../controls.js";
import { heading, networkName } from "./wifi-parts.js";

export function networksView(page) {
    const { app } = page;
    const hint = h(
        "p",
        { class: "hint" },
        "The networks that the device itself hears. Access points with the same name share a row.",
    );
    const look = button(
        "",
        (self) => app.run(self, () => app.hub.jobs.listNetworks(page.id), (setup) => page.take(setup)),
        {
            kind: "look-again",
        },
    );
    const list = h("ul", { class: "wifi-list" });
    const trouble = h("p", { class: "note warn wifi-trouble", hidden: true });
    const state = h("p", { class: "note wifi-trouble", hidden: true });
    const again = h("div", { class: "card wifi-again", hidden: true });
    const element = h(
        "div",
        { class: "wifi-views" },
        again,
        h(
            "section",
            { class: "card wifi-choice" },
            h(
                "div",
                { class: "wifi-head" },
                h("div", { class: "grow" }, heading("Choose a network"), hint),
                look,
            ),
            state,
            trouble,
            list,
        ),
    );
    const row = (network) => {
        const { rssi, channel, security, possible, words } = network;
        const drawn = !possible ? "building" : security === "open" ? "unlock" : "lock";
        const inside = [
            rssi === null ? h("span", { class: "no-bars" }) : wifiBars(rssi),
            h(
                "div",
                { class: "grow" },
                h("div", { class: "wifi-title" }, h("span", { class: "cut" }, networkName(network))),
                h("div", { class: "hint wifi-words" }, words),
            ),
            h(
                "span",
                { class: "hint wifi-figure wifi-channel" },
                channel === null ? "" : `Channel ${channel}`,
            ),
            h("span", { class: "hint wifi-figure wifi-strength" }, rssi === null ? "" : dBm(rssi)),
            symbol(drawn, 18),
        ];
        return h(
            "li",
            possible
                ? h(
                    "button",
                    { class: "wifi-row", type: "button", onclick: () => page.choose(network) },
                    inside,
                )
                : h("div", { class: "wifi-row impossible" }, inside),
        );
    };
    const type = () => page.choose({ typed: true, ssid: "", ssid_octets: "", security: null });
    const hidden = () => {
        const count = page.hiddenCount ?? 0, name = "Hidden network, type its name";
        const text = count ? `${count} in reach, type the name exactly` : "Type the name exactly";
        return [
            h(
                "li",
                { class: "wide-only" },
                h(
                    "div",
                    { class: "wifi-row" },
                    h("span", { class: "wifi-sign" }, symbol("eyeoff")),
                    h(
                        "div",
                        { class: "grow" },
                        h("div", { class: "wifi-title" }, "Hidden network"),
                        h("div", { class: "hint" }, text),
                    ),
                    button("Type a name", type, { label: name }),
                ),
            ),
            h(
                "li",
                { class: "narrow-only" },
                h(
                    "button",
                    { class: "wifi-row", type: "button", onclick: type },
                    h("span", { class: "wifi-sign" }, symbol("plus")),
                    h("span", { class: "wifi-title wifi-type" }, name),
                ),
            ),
        ];
    };
    const blocks = () =>
        [0, 1, 2].map(() =>
            h(
                "li",
                { class: "wifi-row", "aria-hidden": "true" },
                h("span", { class: "grey" }),
                h("div", { class: "grow" }, h("span", { class: "grey wide" })),
            )
        );
    /// The network of the last device, when this one hears it, too.
    const offer = () => {
        const { kept } = page;
        const same = kept &&
            (page.networks ?? []).find((one) =>
                one.ssid_octets === kept.ssid_octets && (kept.security ?? one.security) === one.security
            );
        again.hidden = !same;
        if (!same) return;
        fill(
            again,
            h(
                "div",
                { class: "grow" },
                h("h3", networkName(same), " again"),
                h(
                    "p",
                    { class: "hint" },
                    "With the password of the last device. It is in memory only and forgotten when you leave.",
                ),
            ),
            button(
                h("span", { class: "cut" }, "Send to ", h("bdi", page.deviceWords)),
                (self) => app.run(self, () => page.send(same, kept.password, true)),
                { kind: "main" },
            ),
        );
    };
    let shape;
    const refresh = () => {
        const { setup, networks } = page, busy = setup.listing;
        fill(look, busy ? busyArc(16) : symbol("refresh", 18), h("span", busy ? "Looking" : "Look again"));
        mark(look, "aria-disabled", busy ? "true" : null);
        const wants = JSON.stringify([
            networks,
            page.hiddenCount,
            busy,
            setup.list_failure,
            page.kept?.ssid_octets,
            setup.status,
            app.away,
        ]);
        if (wants === shape) return;
        shape = wants;
        // After a link that was lost while it joined, this is what came of it.
        state.hidden = setup.status?.state !== "connected" || !setup.status.ssid_octets;
        if (!state.hidden) {
            fill(state, symbol("wifi", 18), h("span", "The device is in “", networkName(setup.status), "”."));
        }
        trouble.hidden = !setup.list_failure || busy;
        if (setup.list_failure) fill(trouble, symbol("warn", 18), h("span", air(setup.list_failure)));
        if (!networks && !setup.list_failure) fill(list, blocks(), hidden());
        else if (!networks?.length) {
            const words = h(
                "p",
                "The device hears no network. Put it where Wi-Fi reaches it, then look again.",
            );
            fill(list, setup.list_failure ? null : h("li", { class: "empty" }, words), hidden());
        } else fill(list, networks.map(row), hidden());
        offer();
        say(
            page.told,
            busy
                ? "The device looks for networks"
                : networks
                ? `${counted(networks.length, "network")} in reach`
                : "",
        );
    };
    return { element, refresh };
}
