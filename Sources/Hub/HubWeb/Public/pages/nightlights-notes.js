// What the page of a lamp asks or has to say: whose lamp it is, its clock, the changes that wait.
import { h } from "../dom.js";
import { symbol } from "../marks.js";
import { age, air } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { lowBattery, whose } from "./nightlights-lamp.js";
import { dateWords, lengthWords } from "./nightlights-time.js";

/// Asks for the child's name: what a lamp of the factory has not.
export function askName(page) {
    const { lamp } = page;
    const field = h("input", {
        class: "field",
        id: "lamp-name",
        maxlength: 32,
        autocomplete: "off",
        value: lamp.name ?? "",
    });
    const seen = page.dash?.changes;
    const send = async () => {
        const name = field.value.trim();
        if (!name) return field.focus(), false;
        try {
            return await page.send({ name }, { seen, done: `This is ${whose(name)} nightlight now.` });
        } catch (error) {
            toast(error.message);
            return false;
        }
    };
    const element = dialog(
        lamp.name ? "The child’s name" : "Whose lamp is it?",
        h(
            "form",
            {
                class: "stack",
                onsubmit: async (event) => {
                    event.preventDefault();
                    if (await send() !== false) element.close();
                },
            },
            h("label", { class: "label", for: "lamp-name" }, "Child’s name"),
            field,
            h("p", { class: "hint" }, "The lamp keeps it, so that you know it among others."),
        ),
        { sheet: true, actions: [["Later", "", () => true], ["Give it this name", "main", send]] },
    );
    field.focus();
}

/// How far a clock is off: "1 h 7 min fast".
export const clockWords = ({ difference_seconds: seconds }) =>
    `${lengthWords(Math.abs(seconds ?? 0) / 60)} ${seconds > 0 ? "fast" : "slow"}`;

/// Asks whether a clock that is far off is to be set.
export function askClock(page) {
    const { device } = page.lamp.clock;
    dialog(
        "Set the lamp’s clock?",
        h(
            "p",
            { class: "second" },
            device
                ? `It shows ${dateWords(device.slice(0, 10))}, ${device.slice(11, 16)}: ${
                    clockWords(page.lamp.clock)
                }. Its schedules go by this clock.`
                : "It was never set, so its schedules do nothing.",
        ),
        {
            sheet: true,
            actions: [["Leave it", "", () => true], ["Set it", "main", async () => {
                try {
                    page.take(await page.hub.jobs.setLampClock(page.id));
                    toast("The clock is being set.");
                } catch (error) {
                    toast(error.message);
                    return false;
                }
            }]],
        },
    );
}

/// A change in a few words.
function words(change) {
    const found = [];
    if (change.name !== null) found.push(change.name ? `name “${change.name}”` : "no name");
    if (change.week) found.push(change.week.name ? `week “${change.week.name}”` : "another week");
    if (change.tonight) found.push("tonight’s own schedule");
    if (change.clear_tonight) found.push("back to the week");
    if (change.power !== null) found.push(change.power ? "LEDs on" : "LEDs off");
    if (change.linked !== null) found.push(change.linked ? "all LEDs together" : "each LED by itself");
    if (change.button) found.push("the button");
    const text = found.join(", ");
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/// What is shown while no lamp is heard or remembered.
export const emptyWords = ({ app }) => [
    h("h2", app.unknown ?? "No lamp near"),
    h(
        "p",
        app.unknown
            ? "Lamps appear here as soon as they are heard again."
            : "Switch the nightlight on and bring it near. Lamps appear here by themselves.",
    ),
];

/// What is to be said above everything: a clock that is far off, what waits, what was not taken, another person.
export function awayNotes(page) {
    const { dash, app } = page, memory = page.current?.memory, notes = [];
    // Elsewhere the card of the lamp says it.
    if (page.refused && ["week", "colour"].includes(page.tab) && !app.away) {
        notes.push(h(
            "div",
            { class: "note warn" },
            symbol("warn", 18),
            h("span", { class: "grow" }, h("strong", "Not connected. "), air(page.refused)),
            button("Try again", () => page.reopen(), { kind: "small" }),
        ));
    }
    const off = page.isLive ? dash.lamp.clock : null;
    if (off && (off.action === "ask" || !off.device)) {
        notes.push(h(
            "div",
            { class: "note warn" },
            symbol("clock", 18),
            h(
                "span",
                { class: "grow" },
                off.device
                    ? `The lamp’s clock is ${clockWords(off)}. Nothing was changed.`
                    : "The lamp’s clock was never set, so its schedules do nothing.",
            ),
            button("Set the clock", () => askClock(page), { kind: "small" }),
        ));
    }
    const low = lowBattery(page.lamp);
    if (low) {
        notes.push(h(
            "div",
            { class: "note warn" },
            symbol("warn", 18),
            h(
                "span",
                { class: "grow" },
                h("strong", page.isLive ? `${low}: ` : `${low} when it was read: `),
                `${page.lamp.battery_percent}%. Charge the lamp, so that it shines all night.`,
            ),
        ));
    }
    if (page.isLive && dash.viewers > 1) {
        notes.push(h(
            "div",
            { class: "note" },
            symbol("mine", 18),
            h(
                "span",
                { class: "grow" },
                "Someone else has this lamp open, too. You each see what the other changes.",
            ),
        ));
    }
    for (const pending of memory?.pending ?? []) {
        notes.push(h(
            "div",
            { class: "note warn pending-change" },
            symbol("clock", 18),
            h(
                "span",
                { class: "grow" },
                h("strong", "Waiting: "),
                air(words(pending.change)),
                h(
                    "span",
                    { class: "hint" },
                    ` · made ${age(pending.made, app.time)} · sent when the lamp is back`,
                ),
            ),
            button("Take back", (self) =>
                app.run(self, async () => {
                    const kind = { random: "/R", public: "/P" }[memory.address_kind] ?? "";
                    page.remember(await page.hub.jobs.takeBackPending(pending.id, memory.address + kind));
                }), { kind: "small" }),
        ));
    }
    if (memory?.refusal) {
        notes.push(h("div", { class: "note warn" }, symbol("warn", 18), h("span", air(memory.refusal))));
    }
    return notes;
}
