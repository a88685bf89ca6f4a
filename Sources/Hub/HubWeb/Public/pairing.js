// SPDX-License-Identifier: Apache-2.0
// What a person is shown or asked while a device pairs, on whatever page it is; every open page asks, the first answer counts.
import { fill, h, mark, say } from "./dom.js";
import { dialog, toast } from "./overlays.js";
import { busyArc, symbol } from "./marks.js";
import { length, plain } from "./text.js";

/// The dialogs of all devices that pair.
export class Pairings {
    constructor(app) {
        this.app = app;
        this.open = new Map();
        // The devices that there was a dialog for.
        this.asked = new Set();
        // How much was told of pairings.
        this.heard = 0;
        app.hub.on("state", () => this.look());
        app.hub.on("pairing_changed", ({ pairing }) => this.take(pairing));
        setInterval(() => {
            for (const one of this.open.values()) one.tick();
        }, 1000);
    }

    /// Whether a dialog says what becomes of a device.
    shows(address) {
        return [...this.open.values()].some(({ pairing }) => pairing.address === address);
    }

    /// What goes on now: a page that comes late asks, too, and one that has missed an end closes.
    async look() {
        let items, heard;
        try {
            // An answer that is older than what was told meanwhile would close what has just opened.
            do {
                heard = this.heard;
                items = (await this.app.hub.pairing.list()).items;
            } while (heard !== this.heard);
        } catch {
            // What answers here may have no radio that pairs; a hub that is away says so elsewhere.
            return;
        }
        for (const one of [...this.open.values()]) {
            if (!items.some(({ pairing }) => pairing.id === one.pairing.id) && !one.isOver) one.close();
        }
        for (const { pairing, digits } of items) if (pairing.phase === "asking") this.show(pairing, digits);
    }

    async take(pairing) {
        this.heard += 1;
        const one = this.open.get(pairing.id);
        if (pairing.phase !== "asking") return one?.change(pairing);
        if (["show", "compare"].includes(pairing.kind)) return await this.look();
        this.show(pairing, null);
    }

    show(pairing, digits) {
        const one = this.open.get(pairing.id);
        if (one) return one.change(pairing, digits);
        this.asked.add(pairing.address);
        this.open.set(
            pairing.id,
            new PairingDialog(this.app, pairing, digits, () => this.open.delete(pairing.id)),
        );
    }
}

class PairingDialog {
    constructor(app, pairing, digits, closed) {
        this.app = app;
        this.pairing = pairing;
        this.digits = digits;
        this.name = plain(pairing.name || pairing.address);
        this.content = h("div", { class: "pairing" });
        this.left = h("p", { class: "hint pairing-left" });
        this.element = dialog(`Pair with ${this.name}`, this.content, {
            sheet: true,
            firm: true,
            closed: () => {
                // Whoever closes it wants no pairing.
                if (this.asks && !this.isClosing) this.send({ accept: false }, false);
                closed();
            },
        });
        mark(this.element, "tabindex", "-1");
        this.draw();
    }

    get asks() {
        return this.pairing.phase === "asking" && !this.answered;
    }
    get isOver() {
        return ["paired", "failed"].includes(this.pairing.phase);
    }

    close() {
        this.isClosing = true;
        this.element.close();
    }

    /// Takes up how the pairing is now.
    change(pairing, digits = null) {
        const isNew = pairing.question !== this.pairing.question;
        if (pairing.question < this.pairing.question) return;
        if (pairing.phase === "asking" && !isNew && (this.answered || digits === this.digits)) return;
        if (isNew) this.answered = null;
        // Somebody else has answered: what comes of it is shown where that was.
        if (pairing.phase === "working" && !this.answered && this.pairing.kind !== "show") {
            this.close();
            return toast("It was answered on another page, or its time is over.");
        }
        [this.pairing, this.digits] = [pairing, digits];
        if (pairing.phase === "paired") {
            this.close();
            const level = pairing.protection?.level;
            const sure = level && level !== "encrypted" ? ", and nobody in between can listen" : "";
            return toast(`Paired with ${this.name}. The link is encrypted${sure}.`);
        }
        // A person who has said no knows it.
        if (pairing.phase === "failed" && this.answered === "no") return this.close();
        this.draw();
    }

    async send(answer, stays = true) {
        const { question } = this.pairing;
        this.answered = answer.accept ? "yes" : "no";
        if (stays) this.draw();
        try {
            await this.app.hub.pairing.answer(this.pairing, answer);
            if (!answer.accept && stays) this.close();
        } catch (error) {
            // What is asked next, or why it has failed, was told before, and stays.
            if (this.pairing.question !== question || this.isOver) return;
            toast(error.message);
            if (!stays) return;
            if (error.status === 404 || error.status === 409) return this.close();
            this.answered = null;
            this.draw();
        }
    }

    tick() {
        if (!this.asks) return;
        const left = Math.max(0, Date.parse(this.pairing.deadline) - this.app.hub.now);
        say(this.left, left ? `${length(left)} left to answer` : "The time is up");
    }

    draw() {
        const { pairing } = this;
        const shape = `${pairing.phase} ${pairing.question} ${this.answered} ${this.digits}`;
        if (shape === this.shape) return;
        this.shape = shape;
        const had = this.element.contains(document.activeElement);
        fill(
            this.content,
            pairing.phase === "failed"
                ? failed(pairing, () => this.close())
                : this.asks
                ? this.question()
                : working(),
        );
        this.tick();
        // Not on a button: who types something as this opens must not answer.
        const field = this.content.querySelector("input");
        if (had || field) (field ?? this.element).focus({ preventScroll: true });
        else this.element.focus({ preventScroll: true });
    }

    question() {
        const { kind, begun_by, replaces_bond } = this.pairing;
        const no = (word) => this.button(word, "", { accept: false });
        const yes = (word) => this.button(word, "main", { accept: true });
        if (kind === "show") {
            return [
                h("p", { class: "second" }, "Type these six digits on the device, and confirm them there."),
                figures(this.digits),
                actions(this.left, no("Cancel")),
            ];
        }
        if (kind === "compare") {
            return [
                h("p", { class: "second" }, "Does the device show the same six digits?"),
                figures(this.digits),
                h("p", { class: "hint" }, "Where they differ, somebody may be in between."),
                actions(this.left, no("They differ"), yes("They are the same")),
            ];
        }
        if (kind === "enter") return this.entry(no("Cancel"));
        return [
            h(
                "p",
                { class: "second" },
                begun_by === "device"
                    ? "The device asks to be paired. After that the link is encrypted, and both sides keep the keys."
                    : "After that the link is encrypted, and both sides keep the keys.",
            ),
            replaces_bond
                ? h(
                    "div",
                    { class: "note warn" },
                    symbol("warn", 18),
                    h(
                        "span",
                        { class: "grow" },
                        "The hub already knows a device with this address. Say yes only if you have just made " +
                            "that device forget the hub.",
                    ),
                )
                : null,
            actions(this.left, no("Don’t pair"), yes("Pair")),
        ];
    }

    entry(no) {
        const refused = h("p", { id: "pairing-refused", class: "refused", role: "alert", hidden: true });
        const field = h("input", {
            class: "field pairing-field octets",
            "aria-label": "The six digits that the device shows",
            inputmode: "numeric",
            autocomplete: "one-time-code",
            maxlength: 7,
            placeholder: "012345",
            "aria-describedby": "pairing-refused",
            oninput: () => {
                mark(field, "aria-invalid", null);
                refused.hidden = true;
            },
        });
        return [
            h(
                "form",
                {
                    class: "stack",
                    onsubmit: (event) => {
                        event.preventDefault();
                        const digits = field.value.replace(/\s/g, "");
                        if (/^[0-9]{6}$/.test(digits)) return this.send({ accept: true, digits });
                        fill(refused, symbol("warn", 18), h("span", "Type the six digits that it shows."));
                        refused.hidden = false;
                        mark(field, "aria-invalid", "true");
                        field.focus();
                    },
                },
                h("label", { class: "pairing-label" }, "The six digits that the device shows", field),
                refused,
                actions(this.left, no, h("button", { class: "button main", type: "submit" }, "Pair")),
            ),
        ];
    }

    button(word, kind, answer) {
        return h(
            "button",
            { class: `button ${kind}`.trim(), type: "button", onclick: () => this.send(answer) },
            word,
        );
    }
}

const actions = (...parts) => h("div", { class: "actions" }, parts);

/// Six digits as two groups; a screen reader says one after the other.
function figures(digits) {
    const text = digits ?? "";
    return h(
        "p",
        { class: "pairing-digits octets" },
        h("span", { "aria-hidden": "true" }, `${text.slice(0, 3)} ${text.slice(3)}`),
        h("span", { class: "spoken" }, [...text].join(" ")),
    );
}

function working() {
    return h(
        "div",
        { class: "note", role: "status" },
        busyArc(16),
        h("span", { class: "grow" }, h("strong", "Pairing. "), "Keep the device near."),
    );
}

function failed({ reason }, close) {
    return [
        h(
            "div",
            { class: "note danger", role: "alert" },
            symbol("warn", 18),
            h(
                "span",
                { class: "grow" },
                h("strong", "Not paired. "),
                h("bdi", plain(reason ?? "The device did not say why.", 240)),
            ),
        ),
        actions(h("button", { class: "button", type: "button", onclick: close }, "Leave it")),
    ];
}
