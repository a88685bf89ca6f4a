// The colour of a time of light: beside the night on a desktop, a page of its own on a phone; tried on the lamp itself.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { length } from "../text.js";
import { button, toggle } from "../controls.js";
import { toast } from "../overlays.js";
import { colourControl, rememberColour } from "./nightlights-wheel.js";
import { colorsOf, lampPicture, whose } from "./nightlights-lamp.js";

/// Shows colours on the lamp, one after the other: what was not sent yet gives way to what is newer.
export class ColourTest {
    constructor(page) {
        this.page = page;
        this.leds = [1, 2, 3, 4];
    }
    get isOn() {
        return this.page.isLive && Boolean(this.page.dash.proof_end);
    }
    async show(color) {
        this.next = color;
        if (this.isSending) return;
        this.isSending = true;
        try {
            while (this.next) {
                const one = this.next;
                this.next = null;
                this.page.take(await this.page.hub.jobs.tryColour(this.page.id, this.leds, one));
            }
        } catch (error) {
            toast(error.message);
        } finally {
            this.isSending = false;
            this.next = null;
        }
    }
    async end() {
        if (this.isOn) this.page.take(await this.page.hub.jobs.endColour(this.page.id));
    }
}

/// The test's own row: a button, or how long it goes on by itself.
export function testRow(page, test, color) {
    const element = h("div", { class: "colour-test" });
    let shape;
    const refresh = () => {
        const { away } = page.app, on = test.isOn && !away, wants = `${on} ${page.isLive} ${away}`;
        if (wants !== shape) {
            shape = wants;
            fill(
                element,
                on
                    ? [
                        h(
                            "p",
                            { class: "note flame" },
                            symbol("eye", 18),
                            h("span", "On the lamp now, ends by itself in ", h("strong", { class: "left" })),
                        ),
                        button("End it now", (self) => page.app.run(self, () => test.end())),
                    ]
                    : page.isLive
                    ? [
                        h("span", { class: "hint" }, "Ends by itself after a minute"),
                        button([symbol("eye", 18), "Try on the lamp"], (self) =>
                            page.app.run(self, () => test.show(color()))),
                    ]
                    : h(
                        "span",
                        { class: "hint" },
                        away ? page.app.notKnown : "Can be tried on the lamp when it is near",
                    ),
            );
        }
        const left = element.querySelector(".left");
        if (left && page.dash.proof_end) {
            const rest = Math.max(0, Date.parse(page.dash.proof_end) - page.hub.now);
            say(left, length(Math.min(60000, rest)));
        }
    };
    return { element, refresh };
}

/// Which LEDs a test shows a colour on; a sheet has room for one line.
function ledChooser(page, test, isSheet) {
    const element = h("div", { class: "led-row" });
    let shape;
    const link = (on, self) =>
        page.app.run(self, async () => {
            try {
                await page.send({ linked: on });
            } finally {
                // What was refused, or waits, is not what the lamp has.
                shape = null;
                refresh();
            }
        });
    const refresh = () => {
        const linked = page.lamp?.leds?.linked !== false, colors = colorsOf(page.lamp);
        const wants = JSON.stringify([linked, colors, test.leds, page.isLive, page.app.away]);
        if (wants === shape) return;
        shape = wants;
        if (linked) test.leds = [1, 2, 3, 4];
        fill(
            element,
            linked ? null : h(
                "div",
                { class: "led-chips", role: "group", "aria-label": "LEDs of the test" },
                [1, 2, 3, 4].map((led) => {
                    const dot = h("i", { class: "led-dot" });
                    dot.style.background = colors[led - 1] ?? "transparent";
                    const chosen = test.leds.includes(led);
                    return h(
                        "button",
                        {
                            class: `chip${chosen ? " set" : ""}`,
                            type: "button",
                            "aria-pressed": String(chosen),
                            "aria-label": `LED ${led}`,
                            onclick: () => {
                                const rest = chosen
                                    ? test.leds.filter((one) => one !== led)
                                    : [...test.leds, led].sort();
                                if (rest.length) test.leds = rest;
                                refresh();
                            },
                        },
                        dot,
                        String(led),
                    );
                }),
                isSheet
                    ? h("button", {
                        class: "chip",
                        type: "button",
                        "aria-label": "All four LEDs together",
                        onclick: ({ currentTarget }) => link(true, currentTarget),
                    }, symbol("link", 18))
                    : null,
            ),
            isSheet && !linked ? null : h(
                "label",
                { class: "led-link" },
                symbol("link", 18),
                h("span", { class: "grow" }, "All four LEDs together"),
                toggle("All four LEDs together", linked, link),
            ),
        );
        mark(element, "inert", !page.lamp || page.app.away || null);
    };
    return { element, refresh };
}

/// The card beside the night; `target` is {words, color, set(color, isFinal)}. In a sheet LEDs are chosen first.
export function colourCard(page, target, isSheet = false) {
    const test = new ColourTest(page);
    const code = h("span", { class: "octets hint" }), words = h("p", { class: "hint" });
    const control = colourControl(target.color ?? "#ff9a2e", (color, isFinal) => {
        say(code, color.toUpperCase());
        target.set(color, isFinal);
        if (test.isOn) test.show(color);
        if (isFinal) rememberColour(color);
    });
    const row = testRow(page, test, () => control.color), leds = ledChooser(page, test, isSheet);
    const element = h(
        "section",
        { class: "card colour-card", "aria-label": "Colour" },
        h("div", { class: "colour-head" }, h("div", { class: "grow" }, h("h2", "Colour"), words), code),
        isSheet ? [leds.element, control.element] : [control.element, leds.element],
        row.element,
    );
    const refresh = () => {
        say(words, target.words ?? "For a try on the lamp");
        if (target.color) control.show(target.color);
        say(code, control.color.toUpperCase());
        leds.refresh();
        row.refresh();
    };
    return { element, refresh, test, control };
}

/// The page of its own, on a phone.
export function colourView(page) {
    // The night may come later than this page.
    const period = () => page.night?.periods[Math.max(0, page.draft?.index ?? 0)];
    const chosen = () => page.draft?.color ? page.draft : period();
    const picture = h("div", { class: "lamp-sky colour-sky" });
    const away = h(
        "a",
        { class: "button icon colour-close", href: page.path, "aria-label": "Close" },
        symbol("close"),
    );
    const target = { color: chosen()?.color, set: (color) => wanted = color, words: null };
    let wanted = null, shape;
    const card = colourCard(page, target, true);
    const use = button("Use this colour", () => {
        rememberColour(card.control.color);
        page.draft = page.draft
            ? { ...page.draft, color: card.control.color, isAsked: true }
            : { index: 0, color: card.control.color, seen: page.dash?.changes, isAsked: true };
        card.test.end();
        location.hash = page.path;
    }, { kind: "main" });
    const element = h(
        "div",
        { class: "colour-page" },
        h("div", { class: "colour-top" }, picture, away),
        card.element,
        h(
            "div",
            { class: "actions" },
            h("a", { class: "button", href: page.path }, "Cancel"),
            use,
        ),
    );
    return {
        element,
        withoutNow: true,
        refresh() {
            const colors = page.isLive ? colorsOf(page.lamp) : [];
            if (JSON.stringify(colors) !== shape) {
                shape = JSON.stringify(colors);
                fill(
                    picture,
                    lampPicture(colors, { wide: true, numbers: page.lamp?.leds?.linked === false }),
                );
            }
            target.words = chosen()
                ? `Light period from ${period()?.on ?? "tonight"} of ${whose(page.lamp?.name)} lamp`
                : null;
            target.color = wanted ?? chosen()?.color;
            use.hidden = !chosen();
            card.refresh();
        },
        tick: () => card.refresh(),
        escape: () => location.hash = page.path,
        close: () => card.test.end().catch(() => {}),
    };
}
