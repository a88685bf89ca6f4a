// The lamp before its night: what shines, why, until when; power, battery, clock, and how old all this is.
import { fill, h, mark } from "../dom.js";
import { bars, signalWords, spoken, symbol } from "../marks.js";
import { age, air, clock, day } from "../text.js";
import { button } from "../controls.js";
import { battery, colorsOf, lampPicture } from "./nightlights-lamp.js";
import { askName, clockWords } from "./nightlights-notes.js";

/// The two lines of a card.
export function lampWords(page, { dash, memory, device, name }) {
    const near = page.isNear(device);
    if (dash?.title && dash.job.phase !== "ended") {
        return { title: dash.title, text: name ? dash.reason : "Whose lamp is it?" };
    }
    if (page.app.away) {
        const seen = memory?.seen ? `Looked at it ${when(memory.seen, page.app.time)}` : "Not looked at yet";
        return { title: page.app.notKnown, text: seen };
    }
    if (device && !memory && near) return { title: dash ? "Connecting" : "Near", text: "Not looked at yet" };
    const seen = memory?.seen ? when(memory.seen, page.app.time) : null;
    if (near) return { title: "Near", text: seen ? `Looked at it ${seen}` : "Not looked at yet" };
    return {
        title: seen ? `Away, seen ${seen}` : "Away",
        text: memory?.pending.length ? "Sent when it is back" : "Not heard here",
    };
}

export class NowCard {
    constructor(page) {
        this.page = page;
        this.element = h("section", { class: "card lamp-now", "aria-label": "Now" });
    }

    draw() {
        const { page } = this;
        const { dash, lamp } = page, live = page.isLive;
        const title = live
            ? dash.title
            : page.beginning || dash?.job.phase === "connecting"
            ? "Connecting"
            : page.app.unknown ?? (page.refused ? "Not connected" : "Away");
        const reason = live
            ? dash.reason
            : page.app.away
            ? "This is what was last known of it."
            : page.app.isWithoutRadio
            ? "What you change is sent when the radio and the lamp are back."
            : page.refused ?? (page.isNear(page.current?.device)
                ? "Lantern looks for the lamp and reads what it has."
                : "Lantern does not hear this lamp. What you change is sent when it is back.");
        const shape = JSON.stringify([
            title,
            reason,
            live,
            page.app.unknown,
            lamp && Boolean(lamp.name),
            colorsOf(lamp),
            lamp?.leds?.power,
            page.refused,
        ]);
        if (shape === this.nowShape) return;
        this.nowShape = shape;
        this.statusLine = h("div", { class: "lamp-status" });
        fill(
            this.element,
            h("div", { class: "lamp-sky" }, lampPicture(live ? colorsOf(lamp) : [], { wide: true })),
            h(
                "div",
                { class: "lamp-say" },
                h(
                    "div",
                    { class: "grow" },
                    h("h2", { class: "lamp-title" }, title),
                    h("p", { class: "second" }, air(reason)),
                ),
                lamp && !page.app.away ? this.nameButton(lamp) : null,
                live ? this.powerButton(lamp) : null,
                page.refused && !page.app.unknown
                    ? button("Try again", () => page.reopen(), { kind: "main" })
                    : null,
            ),
            this.statusLine,
        );
        this.tick();
    }

    nameButton(lamp) {
        return button(symbol("note", 20), () => askName(this.page), {
            kind: "icon",
            label: lamp.name ? "Change the child’s name" : "Give it a child’s name",
        });
    }

    powerButton(lamp) {
        const { page } = this;
        const on = lamp.leds?.power !== false;
        const element = button(
            symbol("power", 20),
            (self) => page.app.run(self, () => page.send({ power: !on })),
            { kind: "icon filled power", label: on ? "Switch the LEDs off" : "Switch the LEDs on" },
        );
        mark(element, "aria-pressed", String(on));
        return element;
    }

    tick() {
        const { page } = this;
        const line = this.statusLine, lamp = page.lamp;
        if (!line || !lamp) return line && fill(line);
        const { device } = page.current ?? {}, off = lamp.clock;
        const isRight = Boolean(off?.device) && off.action !== "ask";
        const time = !off?.device
            ? "Clock not set"
            : off.action === "ask"
            ? `Clock ${clockWords(off)}`
            : "Clock is right";
        const read = page.dash?.read ?? page.current?.memory?.seen;
        const shape = JSON.stringify([
            lamp.battery_percent,
            lamp.charging,
            time,
            device?.rssi,
            read && age(read, page.app.time),
            page.isLive,
        ]);
        if (line.dataset.shape === shape) return;
        line.dataset.shape = shape;
        fill(
            line,
            battery(lamp.battery_percent, lamp.charging),
            h(
                "span",
                { class: isRight ? "" : "wrong" },
                symbol(isRight ? "clock" : "warn", 16),
                time,
            ),
            h(
                "span",
                page.isLive ? [bars(device?.rssi ?? -99), spoken(signalWords(device?.rssi ?? null))] : null,
                read ? spoken("Read ") : null,
                read
                    ? page.isLive
                        ? age(read, page.app.time)
                        : `As of ${when(read, page.app.time).replace(/^at /, "")}`
                    : "Not read yet",
            ),
        );
    }
}

const when = (time, now) => {
    const word = day(time, now);
    return word === "Today"
        ? `at ${clock(time)}`
        : `${word === "Yesterday" ? "yesterday" : word}, ${clock(time)}`;
};
