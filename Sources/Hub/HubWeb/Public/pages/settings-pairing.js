// SPDX-License-Identifier: Apache-2.0
// The group of Settings about encryption: which links are encrypted, and the devices that the hub has paired with.
import { fill, h } from "../dom.js";
import { symbol } from "../marks.js";
import { counted, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { parted, row, rows, select } from "./settings-rows.js";
import { protectionWords } from "./explorer-words.js";

const policies = { off: "As the device wants", preferred: "Where it can", required: "Always" };

export function pairingGroup(page) {
    const { encryption } = page.settings, { lacks } = page.hub.transport;
    if (lacks.encryption) return rows(row("Encryption", lacks.encryption));
    const policySelect = (label, name) =>
        select(label, policies, encryption[name], (value) => page.change({ encryption: { [name]: value } }));
    return rows(
        row(
            "Encrypt links to FlockFinders",
            meaning(encryption.flock, "a device that cannot is left alone"),
            policySelect("Encrypt links to FlockFinders", "flock"),
        ),
        row(
            "Encrypt Wi-Fi set-up",
            meaning(encryption.wifi, "a device that cannot gets no password"),
            policySelect("Encrypt Wi-Fi set-up", "wifi"),
        ),
        parted(bondRows(page)),
    );
}

const meaning = (policy, without) =>
    ({
        off: "Anybody near can listen, unless the device asks for encryption",
        preferred: "Pairs if needed; a device that cannot is used without encryption, and Debug says so",
        required: `Pairs if needed; ${without}`,
    })[policy];

/// A block that asks the hub for its bonds and holds a row for each.
function bondRows(page) {
    const bonds = h("div", { class: "bonds" });
    const show = () => page.hub.pairing.bonds().then((answer) => fill(bonds, list(answer)), () => {});
    const list = ({ items, unreadable, fault }) => [
        fault ? trouble(fault, unreadable) : null,
        items.map(one),
        items.length || fault ? null : row(
            "Paired devices",
            "None yet. Explorer pairs a device that it is connected to.",
            h("a", { class: "button", href: "#/explorer" }, "Open Explorer", symbol("right", 16)),
        ),
    ];
    const one = (bond) => {
        const name = plain(bond.name || bond.address);
        const forget = button("Forget", () => ask(page, bond, name, forget, show), {
            label: `Forget ${name}`,
        });
        return row(
            h("bdi", name),
            [
                bond.name ? [h("span", { class: "octets" }, plain(bond.address)), ", "] : null,
                bond.name ? protectionWords(bond).replace(/^E/, "e") : protectionWords(bond),
            ],
            forget,
        );
    };
    const trouble = (fault, unreadable) => {
        const forget = unreadable
            ? button(
                `Forget ${counted(unreadable, "device")}`,
                (self) => page.app.run(self, () => page.hub.pairing.forgetUnreadable(), show),
            )
            : null;
        return h(
            "div",
            { class: "note warn bonds-fault" },
            symbol("warn", 18),
            h(
                "span",
                { class: "grow" },
                h("strong", "Keys are not kept. "),
                plain(fault, 400),
                " Until then devices pair for one connection.",
            ),
            forget,
        );
    };
    if (!page.app.away) show();
    page.bondsChanged = show;
    return bonds;
}

function ask(page, bond, name, forget, show) {
    dialog(
        "Forget this device?",
        h(
            "p",
            { class: "second" },
            h("bdi", name),
            " has to forget this hub, too, before they can pair again. A connection that is open stays as it is.",
        ),
        {
            actions: [["Keep it", "", () => {}], [
                "Forget",
                "danger",
                () =>
                    page.app.run(
                        forget,
                        () => page.hub.pairing.forget(bond.address),
                        () => {
                            toast(`The keys of ${name} are forgotten.`);
                            return show();
                        },
                    ),
            ]],
        },
    );
}
