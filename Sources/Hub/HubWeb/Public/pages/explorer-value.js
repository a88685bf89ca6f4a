// One value: as it is now, over the last minute, what it says beside its octets, what can be written, and its log.
import { fill, h, mark, say } from "../dom.js";
import { busyArc, symbol } from "../marks.js";
import { count, counted, deviceText, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, followFinger } from "../overlays.js";
import { aboutStructure } from "./explorer-about.js";
import { length, spaced } from "./explorer-octets.js";
import { LogCard } from "./explorer-log.js";
import { plot, reach } from "./explorer-plot.js";
import { can, handleWord, shortUUID } from "./explorer-words.js";
import { liveWords, saidCards } from "./explorer-said.js";
import { writeCard } from "./explorer-write.js";

export class ValueView {
    constructor(view) {
        this.view = view;
        this.app = view.app;
        this.line = null;
        this.title = h("h2");
        this.under = h("div", { class: "hint" });
        // A phone shows them beside the number; elsewhere they have a card of their own.
        this.underOctets = h("span", { class: "octets for-phone" });
        this.closeButton = button(symbol("close", 18), () => this.view.choose(null), {
            kind: "icon",
            label: "Close the value",
        });
        this.other = h("div", { class: "stack value-other" });
        this.number = h("div", { class: "grow" });
        this.readButton = button("Read", () => this.read(), {});
        this.watchButton = button("Listen", () => this.watch(), {});
        this.logWord = h("span");
        this.logButton = button([symbol("list", 18), this.logWord], () => this.showLog(), {
            kind: "for-phone",
        });
        this.saveButton = button([symbol("download", 18), "Save"], () => this.log.save(), {
            kind: "for-phone",
            label: "Save the log",
        });
        this.plot = plot();
        this.live = h(
            "section",
            { class: "card value-live", "aria-label": "Live value" },
            h(
                "div",
                { class: "live-head" },
                this.number,
                h(
                    "div",
                    { class: "live-buttons" },
                    this.readButton,
                    this.watchButton,
                    this.logButton,
                    this.saveButton,
                ),
            ),
            this.plot.element,
        );
        this.reason = h(
            "div",
            { class: "note warn", role: "status" },
            symbol("warn", 18),
            h("bdi", { class: "grow" }),
        );
        this.saidCards = saidCards();
        this.write = writeCard((octets, response) => this.writeValue(octets, response));
        this.log = new LogCard(view);
        this.cards = h(
            "div",
            { class: "stack value-cards" },
            this.live,
            this.reason,
            this.saidCards.said,
            this.write.element,
            this.log.element,
            this.saidCards.descriptors,
        );
        this.element = h(
            "aside",
            { class: "explorer-value", "aria-label": "Value", tabindex: "-1" },
            h("div", { class: "explorer-handle", "aria-hidden": "true" }),
            this.top = h(
                "div",
                { class: "value-top" },
                h("div", { class: "grow" }, this.title, this.under),
                this.closeButton,
            ),
            this.other,
            this.cards,
        );
        followFinger(this.element, () => this.view.choose(null));
        this.timer = setInterval(() => this.advance(), 250);
    }

    get isOpen() {
        return this.line !== null;
    }
    get characteristic() {
        return this.line?.characteristic ?? null;
    }
    get state() {
        const { work } = this.view, one = this.characteristic;
        return work && one ? this.view.page.works.valueOf(work, one.value_handle) : null;
    }
    get listens() {
        return this.view.isOpen &&
            this.view.work.explorer.watched.includes(this.characteristic?.value_handle);
    }

    show(line) {
        this.line = line;
        this.element.scrollTop = 0;
        this.asking = null;
        this.otherShape = null;
        // The log of a value that was not looked at yet is the hub's.
        if (line?.characteristic && this.view.work) {
            this.view.page.works.fetchLog(this.view.id, line.characteristic.value_handle);
        }
        this.view.draw();
    }

    /// The log over the page, where there is no room for it below.
    showLog() {
        dialog("Log", this.log.element, {
            sheet: true,
            closed: () => this.cards.insertBefore(this.log.element, this.saidCards.descriptors),
        });
    }

    // MARK: What is asked of the device

    ask(button, word, work) {
        return this.app.run(button, async () => {
            this.asking = word;
            this.draw();
            try {
                return await work();
            } finally {
                this.asking = null;
                this.draw();
            }
        });
    }

    read() {
        const { view } = this, { work } = view, { value_handle } = this.characteristic;
        return this.ask(this.readButton, "read", async () => {
            view.page.works.note(work, await view.page.requests.read(work.explorer.job.id, value_handle));
            view.drawTree();
        });
    }

    watch() {
        const { view } = this, { page, work } = view, { value_handle } = this.characteristic;
        return this.ask(this.watchButton, "watch", async () => {
            page.works.take(await page.requests.watch(work.explorer.job.id, value_handle, !this.listens));
        });
    }

    /// Writes; the first write to a device is asked about.
    async writeValue(octets, response) {
        const { view } = this, { page, work } = view, { value_handle } = this.characteristic;
        if (!view.isOpen) throw new Error("The device is not connected. Connect to it again.");
        const send = (confirmed) =>
            page.requests.write(work.explorer.job.id, {
                handle: value_handle,
                form: "hex",
                value: octets,
                response,
                confirmed,
            });
        let value;
        try {
            if (!work.explorer.may_write) throw Object.assign(new Error(), { status: 428 });
            value = await send(false);
        } catch (error) {
            if (error.status !== 428) throw error;
            if (!await this.confirm(octets)) return "";
            value = await send(true);
        }
        page.works.note(work, value);
        view.drawTree();
        this.draw();
        if (value.error) throw new Error(value.error);
        // What it is now, the device says.
        if (can(this.characteristic, "read") && view.isOpen) this.read();
        return `${counted(length(octets), "octet")} written.`;
    }

    confirm(octets) {
        return new Promise((resume) => {
            let sure = false;
            const name = this.view.device ? deviceText(this.view.device) : "this device";
            dialog(
                h("span", "Write to ", h("bdi", plain(name, 60)), "?"),
                h(
                    "div",
                    { class: "stack" },
                    h(
                        "p",
                        { class: "second" },
                        "Nothing has been written to this device yet. A write can change what it does, and some changes cannot be undone.",
                    ),
                    h(
                        "p",
                        { class: "octets second cut" },
                        octets ? spaced(octets.slice(0, 64)) : "Nothing, a write of 0 octets",
                    ),
                ),
                {
                    actions: [["Leave it", "", () => {}], ["Write", "main", () => {
                        sure = true;
                    }]],
                    closed: () => resume(sure),
                },
            );
        });
    }

    // MARK: Drawing

    tick() {
        if (this.line === null) this.draw();
    }

    /// The plot goes on by itself, four times a second, while somebody can see it.
    advance() {
        if (
            document.hidden || !this.characteristic || this.plot.element.style.display === "none" ||
            !this.listens
        ) return;
        this.plot.show(this.state.points, this.app.time, this.state.last?.unit);
    }

    draw() {
        const { line, view } = this, one = this.characteristic;
        if (view.id === null) return;
        this.cards.hidden = !one;
        this.other.hidden = Boolean(one);
        this.top.hidden = line === null;
        mark(this.element, "inert", this.app.away || null);
        if (!one) return this.drawOther();
        say(this.title, plain(one.name ?? one.description ?? "Unknown", 200));
        const under = [
            h("span", { class: "octets" }, shortUUID(one.uuid)),
            ", handle ",
            h("span", { class: "octets" }, handleWord(one.value_handle)),
            this.underOctets,
        ];
        if (this.underShape !== one) {
            this.underShape = one;
            fill(this.under, under);
        }
        this.drawLive();
        const last = this.state?.last;
        this.saidCards.draw(one, last?.octets ? last : one, this.listens);
        this.log.draw(one, this.state, this.listens);
    }

    drawOther() {
        const { line, view } = this;
        const shape = line
            ? `s${line.key}${JSON.stringify(line.structure)}`
            : `d${JSON.stringify(view.detail)}`;
        if (shape !== this.otherShape) {
            this.otherShape = shape;
            if (line) {
                say(this.title, plain(line.structure.name ?? "Unknown", 100));
                fill(
                    this.under,
                    line.uuid ? ["Type ", h("span", { class: "octets" }, `0x${line.uuid}`)] : "No type",
                    line.structure.source === "scan_response" ? ", scan response" : ", advertisement",
                );
                this.underShape = null;
            }
            fill(
                this.other,
                line ? aboutStructure(line.structure) : view.cards,
            );
        }
    }

    drawLive() {
        const one = this.characteristic, { state, view, listens } = this, value = state?.last ?? one;
        const { isOpen } = view, sends = can(one, "notify", "indicate"), reads = can(one, "read");
        const plotted = value.plotted ?? null,
            hasPlot = state && state.points.length > 0 && (listens || state.points.length > 1) &&
                state.points.at(-1).time > this.app.time - reach;
        const total = Math.max(state?.total ?? 0, state?.log.length ?? 0);
        this.live.hidden = !reads && !sends && value.octets === null && !(total && innerWidth < 720);
        this.readButton.hidden = !reads || view.isSave;
        this.watchButton.hidden = !sends || view.isSave;
        this.logButton.hidden = !view.work;
        this.saveButton.hidden = !total;
        say(this.logWord, total ? `Log, ${count(total)}` : "Log");
        const few = typeof plotted === "number" && length(value.octets) <= 8;
        say(this.underOctets, few ? `, ${spaced(value.octets)}` : "");
        const watchWord = this.asking === "watch"
            ? [busyArc(16), listens ? "Stopping" : "Asking"]
            : listens
            ? [symbol("pause", 18), "Stop"]
            : [symbol("play", 18), "Listen"];
        fill(this.watchButton, watchWord);
        fill(
            this.readButton,
            this.asking === "read" ? [busyArc(16), "Reading"] : [symbol("refresh", 18), "Read"],
        );
        for (const button of [this.readButton, this.watchButton]) {
            mark(button, "aria-disabled", isOpen ? null : "true");
        }
        this.readButton.disabled = this.watchButton.disabled = !isOpen;
        const { octets, unit, text, incomplete, error } = value;
        const shape = JSON.stringify([octets, plotted, unit, text, incomplete, error, listens]);
        if (shape !== this.liveShape) {
            this.liveShape = shape;
            fill(this.number, liveWords(value, one, listens));
        }
        const isLost = view.work?.explorer?.job.phase === "ended";
        const why = isLost ? "Not connected any more. Connect again to read it or to listen." : value.error;
        this.reason.hidden = !why;
        if (why) say(this.reason.lastChild, plain(why, 400));
        this.plot.element.style.display = hasPlot ? "" : "none";
        if (hasPlot && !listens) this.plot.show(state.points, this.app.time, value.unit);
        const writes = isOpen && can(one, "write", "write_without_response");
        this.write.element.hidden = !writes;
        if (writes) this.write.show(one.value_handle, one.properties);
    }

    close() {
        clearInterval(this.timer);
        this.log.close();
    }
}
