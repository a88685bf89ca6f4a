// The log of one value: what was read, written and sent by the device, newest first.
import { h, say } from "../dom.js";
import { keyed } from "../list.js";
import { symbol } from "../marks.js";
import { air, clock, count, counted, plain } from "../text.js";
import { button, fileRow } from "../controls.js";
import { dialog } from "../overlays.js";
import { length, spaced } from "./explorer-octets.js";
import { fieldsWords } from "./explorer-words.js";

const kindWords = {
    read: "Read",
    notify: "Notified",
    indicate: "Indicated",
    write: "Written",
    write_without_response: "Written",
};
const shownLog = 100;

export class LogCard {
    constructor(view) {
        this.view = view;
        this.count = h("span", { class: "hint" });
        this.list = h("ol", { tabindex: "0", "aria-label": "Log" });
        this.empty = h("p", { class: "hint" });
        this.saveButton = button(symbol("download", 18), () => this.save(), {
            kind: "icon",
            label: "Save the log",
        });
        this.element = h(
            "section",
            { class: "card value-log", "aria-label": "Log" },
            h(
                "div",
                { class: "card-head" },
                h("h2", { class: "card-title" }, "Log"),
                h("span", { class: "grow" }),
                this.count,
                this.saveButton,
            ),
            this.list,
            this.empty,
        );
    }

    save() {
        const { work } = this.view, { value_handle } = this.of;
        const link = (form, word, hint) =>
            fileRow(
                this.view.page.requests.logFile(work.explorer.job.id, form, value_handle),
                h("span", { class: "grow" }, word, h("span", { class: "hint" }, hint)),
                () => element.close(),
            );
        const element = dialog(
            "Save the log",
            h(
                "div",
                { class: "stack explorer-menu" },
                link("csv", "CSV", "For a spreadsheet"),
                link("jsonl", "JSON lines", "Can be played back by lantern device"),
            ),
            { sheet: true },
        );
    }

    /// What came, of a characteristic; `state` is what is known of its value.
    draw(of, state, listens) {
        this.of = of;
        const { view } = this,
            entries = state?.log.slice(0, shownLog) ?? [],
            total = Math.max(state?.total ?? 0, entries.length);
        this.element.hidden = !view.work;
        say(this.count, total ? `${count(total)} ${total === 1 ? "value" : "values"}` : "");
        this.saveButton.hidden = total === 0;
        this.list.hidden = total === 0;
        this.empty.hidden = total > 0 && total <= entries.length;
        say(
            this.empty,
            total
                ? `The newest ${
                    count(entries.length)
                } are shown. The file has the rest, as far as it is kept.`
                : listens
                ? "Nothing has come yet."
                : "What you read and write, and what the device sends, is listed here.",
        );
        // Numbers are those of a job: another device has the same ones.
        keyed(this.list, entries, ({ number }) => `${view.work.explorer.job.id} ${number}`, entry);
        if (view.work?.hasGaps && !this.catching) {
            // The log is the hub's: what did not come as an event is fetched, not more often than it can be read.
            view.work.hasGaps = false;
            this.catching = setTimeout(() => {
                this.catching = null;
                if (view.work && !this.element.hidden) {
                    view.page.works.fetchLog(view.id, this.of.value_handle);
                }
            }, 2000);
        }
    }

    close() {
        clearTimeout(this.catching);
    }
}

function entry(value) {
    const time = new Date(value.time), octets = value.octets ?? "";
    const said = value.error ?? (value.fields?.length ? fieldsWords(value) : value.text || null);
    const words = value.incomplete ? [said, "the first part only"].filter(Boolean).join(", ") : said;
    const long = length(octets) > 8;
    return h(
        "li",
        h(
            "span",
            { class: "octets" },
            `${clock(time, true)}.${String(time.getMilliseconds()).padStart(3, "0")}`,
        ),
        h(
            "span",
            { class: "octets cut" },
            long ? `${spaced(octets.slice(0, 14))} …` : spaced(octets) || (value.error ? "" : "Empty"),
        ),
        h(
            "span",
            { class: "said cut" },
            value.kind === "notify" || value.kind === "indicate"
                ? null
                : h("span", { class: "hint" }, `${kindWords[value.kind] ?? ""}${words ? ", " : ""}`),
            words ? air(plain(words, 300)) : long ? counted(length(octets), "octet") : null,
        ),
    );
}
