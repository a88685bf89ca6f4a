// What can be done with all rows of the history that are ticked, in a bar over the list.
import { h, say } from "../dom.js";
import { symbol } from "../marks.js";
import { button } from "../controls.js";
import { toast } from "../overlays.js";
import { count, counted } from "../text.js";
import { markedWords, takenBack } from "../own-marks.js";
import { offerExport } from "./history-export.js";

export class Bulk {
    constructor(page) {
        this.page = page;
        this.text = h("span");
        const act = (word, name, action, kind = "") =>
            button([symbol(name, 16), h("span", word)], action, { kind: `small ${kind}` });
        this.element = h(
            "div",
            { class: "bulk", role: "toolbar", "aria-label": "For the ticked rows", hidden: true },
            this.text,
            act("Mine", "mine", () => this.flag("mine")),
            act("Mute", "mute", () => this.flag("muted")),
            act("False alarm", "flag", () => this.flag("false_alarm")),
            act("Export", "download", () => offerExport(page.hub, page.tickedFilter())),
            act("Delete", "trash", () => this.remove(), "danger"),
            button(symbol("close", 18), () => page.escape(), { kind: "icon", label: "Untick all" }),
        );
    }

    /// Shows how many are ticked; nothing where none is, unless some are to be.
    draw(number, isWanted) {
        const held = this.element.contains(document.activeElement);
        this.element.hidden = !number && !isWanted;
        if (held && this.element.hidden) this.page.list.element.focus();
        for (const one of this.element.querySelectorAll(".small")) one.disabled = !number;
        say(this.text, `${count(number)} selected`);
    }

    /// Does something with the rows, and offers to take it back by what `undo` gives to ask for, one after the other.
    run(name, of, words, undo) {
        const { app, hub } = this.page, again = () => this.page.search(true);
        const back = async (answer) => {
            for (const asked of undo(answer)) await hub.bulk(...asked);
        };
        app.run(null, () => hub.bulk(name, of), (answer) => {
            this.page.escape();
            toast(words(answer), () => app.run(null, () => back(answer), again));
            return again();
        });
    }

    remove() {
        const { page } = this, number = page.allTicked ? page.total : page.ticked.size;
        const words = `${counted(number, page.kind === "sources" ? "source" : "detection")} deleted`;
        this.run("delete", page.of, () => words, (answer) => [["restore", { undo: answer.undo }]]);
    }

    flag(name) {
        this.run(
            name,
            this.page.of,
            (answer) => `${markedWords(name)}: ${counted(answer.changed, "source")}`,
            (answer) => takenBack(name, answer.before),
        );
    }
}
