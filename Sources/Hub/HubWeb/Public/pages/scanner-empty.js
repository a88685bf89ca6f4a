// What the Scanner shows while the hub has no radio.
import { fill, h, say } from "../dom.js";
import { button, copyButton } from "../controls.js";
import { symbol } from "../marks.js";
import { clock, counted } from "../text.js";

const hint = (text) => h("div", { class: "hint" }, text);

/// What happened to the radio, what it means, what to type, and what still works.
export class NoRadio {
    constructor(app) {
        this.app = app;
        this.retry = h("span", { class: "hint" });
        this.box = h("section", { class: "card trouble" });
        this.kept = h("section", { class: "card kept" });
        this.again = button("Try again", (self) => app.run(self, () => app.hub.retryRadio()), {
            kind: "main",
        });
        this.element = h("div", { class: "narrow-page" }, this.box, this.kept);
    }

    draw() {
        const { radio, storage } = this.app.hub.state.hub;
        const shape = JSON.stringify([radio.title, radio.text, radio.commands, storage.detections]);
        if (shape !== this.shape) {
            this.shape = shape;
            this.build(radio, storage);
        }
        const seconds = Math.ceil((Date.parse(radio.next_try) - this.app.time) / 1000);
        say(this.retry, seconds > 0 ? `Next try in ${seconds} s` : "Trying again");
    }

    build(radio, storage) {
        const command = (text) =>
            h(
                "div",
                { class: "command" },
                h("code", { class: "octets" }, text),
                copyButton(text, `Copy ${text}`),
            );
        const which = radio.commands.length > 1 ? "On the hub, type one of these" : "On the hub, type this";
        const last = storage.last_detection ? `, the last one at ${clock(storage.last_detection, true)}` : "";
        fill(
            this.box,
            h("span", { class: "trouble-mark" }, symbol("warn", 24)),
            h(
                "div",
                { class: "trouble-words" },
                h("h2", radio.title),
                h("p", [radio.text, "Nothing is being recorded."].filter(Boolean).join(" ")),
            ),
            radio.commands.length
                ? h("div", { class: "trouble-commands" }, h("div", which), radio.commands.map(command))
                : null,
            h(
                "div",
                { class: "trouble-actions" },
                this.again,
                h("a", { class: "button", href: "#/debug" }, "Open Debug"),
                h("span", { class: "grow" }),
                this.retry,
            ),
        );
        fill(
            this.kept,
            symbol("history"),
            h(
                "div",
                { class: "grow" },
                h("div", storage.detections ? "Everything stored is still here" : "Nothing is stored yet"),
                storage.detections ? hint(counted(storage.detections, "detection") + last) : null,
            ),
            h("a", { href: "#/history" }, "History"),
        );
    }
}
