// A save as a tree of its own: the device as it was, without a link to it.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { clock, counted, day, plain } from "../text.js";
import { button } from "../controls.js";
import { aboutSave } from "./explorer-about.js";
import { compareSave } from "./explorer-save.js";
import { advertising, serviceSections, Tree } from "./explorer-tree.js";
import { ValueView } from "./explorer-value.js";

/// "today, 14:38" within a sentence.
const when = (time, now) =>
    `${day(time, now).replace(/^(Today|Yesterday)$/, (word) => word.toLowerCase())}, ${clock(time)}`;

export class SavedView {
    constructor(page) {
        this.page = page;
        this.app = page.app;
        this.id = null;
        this.detail = null;
        // What is asked of a device, and its log: a save has neither.
        this.isSave = true;
        this.isOpen = false;
        this.work = null;
        this.device = null;
        this.title = h("h2");
        this.facts = h("div", { class: "facts cut" });
        this.serveButton = button("Serve", (self) => this.serve(self), {});
        this.compareButton = button(
            [symbol("compare", 18), h("span", "Compare")],
            () => compareSave(this, this.detail.save),
            { kind: "for-open", label: "Compare" },
        );
        this.menuButton = button(symbol("more", 18), () => page.saves.showMenu(this.detail.save), {
            kind: "icon filled for-save",
            label: "More",
        });
        this.tree = new Tree({ label: "Services and values", choose: (line) => this.choose(line) });
        this.value = new ValueView(this);
        this.trouble = h("div", { class: "empty", hidden: true }, h("h2"), h("p"));
        this.trouble.append(h("a", { class: "button", href: "#/explorer/saves" }, "All saves"));
        this.top = h(
            "div",
            { class: "explorer-top" },
            h("div", { class: "names" }, this.title, this.facts),
            this.serveButton,
            this.compareButton,
            this.menuButton,
        );
        this.element = h(
            "div",
            { class: "explorer has-device is-save", hidden: true },
            h(
                "section",
                { class: "explorer-device", "aria-label": "Saved device" },
                this.top,
                this.tree.element,
                this.trouble,
            ),
            this.value.element,
        );
    }

    /// Everything about it, while no value is chosen.
    get cards() {
        return this.detail ? aboutSave(this.detail) : null;
    }

    /// Another save, or none.
    open(id) {
        this.element.hidden = id === null;
        if (id === this.id) return;
        this.id = id;
        this.detail = this.refusal = null;
        this.tree.active = null;
        this.tree.closed.clear();
        this.choose(null);
        this.tree.element.scrollTop = 0;
        this.fetch();
    }

    async fetch() {
        const id = this.id;
        if (id === null) return;
        try {
            const detail = await this.page.requests.openSave(id);
            if (id !== this.id) return;
            this.detail = detail;
            this.refusal = null;
            await this.page.saves.fetchServing();
        } catch (error) {
            // Without the hub what was there stays.
            if (id !== this.id || !error.status) return;
            this.detail = null;
            this.refusal = error.message;
        }
        this.page.draw();
    }

    choose(line) {
        const hadOne = this.tree.chosen !== null;
        this.tree.chosen = line?.key ?? null;
        this.value.show(line);
        if (!line && hadOne) this.tree.body.focus({ preventScroll: true });
        if (line && innerWidth < 720) {
            this.tree.body.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "start" });
        }
    }

    get isServed() {
        const { serving } = this.page.saves;
        return serving?.save === this.id && ["on", "starting"].includes(serving.state);
    }

    serve(self) {
        const { saves } = this.page;
        return this.isServed ? saves.endServing(self) : saves.serve(this.detail.save, self);
    }

    // MARK: Drawing

    tick() {}
    drawTree() {}

    draw() {
        if (this.id === null) return;
        const { detail, refusal, app } = this;
        this.top.hidden = this.tree.element.hidden = !detail;
        this.value.element.hidden = !detail || (this.page.isNarrow && !this.value.isOpen);
        this.trouble.hidden = !refusal;
        if (refusal) {
            say(this.trouble.children[0], "This save cannot be opened");
            say(this.trouble.children[1], plain(refusal, 400));
        }
        if (!detail) return;
        const { save } = detail;
        say(this.title, plain(save.name, 100));
        const shape = JSON.stringify([save.address, save.time]);
        if (shape !== this.factShape) {
            this.factShape = shape;
            fill(
                this.facts,
                save.address
                    ? h(
                        "span",
                        h("bdi", { class: "octets address" }, save.address),
                        h("span", { class: "comma" }, ", "),
                    )
                    : null,
                `saved ${when(save.time, app.time)}, ${counted(save.services, "service")}`,
            );
        }
        this.serveButton.hidden = Boolean(app.hub.transport.lacks.serving);
        say(this.serveButton, this.isServed ? "Stop serving" : "Serve");
        mark(this.top, "inert", app.away || null);
        const sections = serviceSections(detail, () => ({ value: null, listens: false }));
        if (detail.structures.length) sections.push(advertising(detail));
        this.tree.show(sections, this.tree.chosen);
        this.value.draw();
    }

    close() {
        this.value.close();
    }
}
