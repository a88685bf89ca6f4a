// The hub's own beacon: four octets, how they are put into the map, on and off.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { clock } from "../text.js";
import { segments, toggle } from "../controls.js";
import { bitText, spaced, watchBit } from "./overflow-words.js";

export function beaconCard(page) {
    const { hub } = page.app, state = h("div", { class: "hint", role: "status" });
    let codec = "v1", isTouched = false;
    const field = h("input", {
        class: "field",
        value: "01 02 03 04",
        "aria-label": "Payload, 4 octets",
        autocomplete: "off",
        spellcheck: "false",
        maxlength: "24",
        oninput: () => {
            isTouched = true;
            check();
        },
        onkeydown: (event) => event.key === "Enter" && !on.checked && on.click(),
    });
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    const octets = () => field.value.replace(/[\s:-]/g, "").toLowerCase();
    const check = () => {
        const right = /^[0-9a-f]{8}$/.test(octets());
        mark(field, "aria-invalid", right ? null : "true");
        refused.hidden = right;
        if (!right) {
            fill(refused, symbol("warn", 16), "Four octets: eight hexadecimal digits, such as 01 02 03 04.");
        }
        return right;
    };
    const start = async () => {
        if (!check()) return;
        page.beacon = await hub.overflow.startBeacon(octets(), codec);
    };
    const name = `Beacon of ${hub.transport.words.here}`;
    const on = toggle(name, false, async (wanted) => {
        try {
            if (wanted) await start();
            else await hub.overflow.endBeacon();
        } catch (error) {
            refused.hidden = false;
            fill(refused, symbol("warn", 16), error.message);
        }
        refresh();
    });
    const choice = segments({ v1: "v1, two banks", v2: "v2, Hamming" }, codec, (chosen) => {
        codec = chosen;
        isTouched = true;
        refresh();
        if (page.beacon?.on) start().catch(() => {});
    });
    mark(choice, "role", "group");
    mark(choice, "aria-label", "Codec");
    const note = h(
        "p",
        { class: "note warn" },
        symbol("warn", 18),
        h(
            "span",
            `Position 1 of v1 sets ${
                bitText(watchBit)
            }, Apple’s Watch set-up. iPhones nearby may show a Watch card.`,
        ),
    );
    const element = h(
        "section",
        { class: "card overflow-beacon", "aria-label": name },
        h(
            "div",
            { class: "beacon-head" },
            h("div", { class: "grow" }, h("h2", name), state),
            on,
        ),
        h("div", { class: "fields" }, h("label", "Payload, 4 octets", field), refused, choice, note),
    );
    const refresh = () => {
        const { beacon } = page;
        on.checked = Boolean(beacon?.on);
        if (beacon?.on && !isTouched) {
            field.value = spaced(beacon.payload);
            codec = beacon.codec;
            for (const [index, one] of [...choice.children].entries()) {
                mark(one, "aria-pressed", String((index === 0 ? "v1" : "v2") === codec));
            }
        }
        note.hidden = codec !== "v1";
        const { isWithoutRadio } = page.app;
        // It can be taken off the air without a radio, but not put on it.
        on.disabled = isWithoutRadio && !beacon?.on;
        say(
            state,
            isWithoutRadio && !beacon?.on
                ? "Needs the radio"
                : !beacon
                ? "Not known"
                : beacon.on
                ? `${spaced(beacon.payload)} by ${beacon.codec}, ${
                    beacon.octets ? `on the air since ${clock(beacon.since)}` : "going on the air"
                }`
                : beacon.reason ?? "Off",
        );
    };
    return { element, refresh };
}
