// SPDX-License-Identifier: Apache-2.0
// Drives: the list of them, and of one its way, what was new on it, and its export.
import { fill, h, mark } from "../dom.js";
import { bars, detectionMark, spoken, symbol, tags, types } from "../marks.js";
import { alias, clock, count, counted, day, dBm, distance, far, span } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { ended } from "../hub-drives.js";
import { offerExport } from "./history-export.js";
import { wayOf } from "./drives-way.js";

export const open = (app, rest) => new DrivesPage(app, rest);

const narrow = matchMedia("(max-width: 1099px)");

class DrivesPage {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        this.drives = null;
        app.main.className = "reading";
        this.list = h("ul", { class: "card drives-list", "aria-label": "Drives" });
        this.place = h("a", { class: "button", href: "#/settings/location" }, "Set the place");
        this.detail = h("section", { class: "drive-detail", "aria-label": "Drive", tabindex: "-1" });
        this.none = h("div", { class: "empty", hidden: true }, h("h2"), h("p"), this.place);
        this.element = h("div", { class: "drives" }, this.list, this.detail, this.none);
        app.main.append(this.element);
        this.ends = [
            this.hub.on("drive_changed", ({ drive }) => this.changed(ended(drive))),
            this.hub.on("drives_deleted", () => this.fetch()),
            this.hub.on("state", () => this.fetch()),
            this.hub.on("detections_deleted", () => this.show(true)),
        ];
        this.onWidth = () => this.draw();
        narrow.addEventListener("change", this.onWidth);
        this.turn(rest);
        this.fetch();
    }

    close() {
        this.isClosed = true;
        for (const end of this.ends) end();
        narrow.removeEventListener("change", this.onWidth);
    }

    turn([id]) {
        this.chosen = id ? Number(id) : null;
        this.app.main.scrollTop = 0;
        this.show();
        this.draw();
    }

    async fetch() {
        try {
            this.drives = await this.hub.drives.list();
            this.trouble = null;
        } catch (error) {
            this.trouble = error.message;
        }
        if (this.isClosed) return;
        this.draw();
        this.show();
    }

    changed(drive) {
        if (!this.drives) return;
        this.drives = [drive, ...this.drives.filter(({ id }) => id !== drive.id)]
            .sort((a, b) => Date.parse(b.begin) - Date.parse(a.begin));
        this.draw();
        if (this.seen === drive.id) this.show(true);
    }

    /// Which drive is shown: the chosen one, else, where there is room, the newest.
    get wanted() {
        return this.chosen ?? (narrow.matches ? null : this.drives?.[0]?.id ?? null);
    }

    async show(again = false) {
        const id = this.wanted;
        if (id === this.seen && !again) return;
        this.seen = id;
        if (id === null) return fill(this.detail);
        const turn = this.asked = {};
        // What was there before stays until the new is there.
        if (!this.detail.firstChild) fill(this.detail, h("p", { class: "hint" }, "Loading this drive."));
        try {
            const drive = await this.hub.drives.one(id);
            const sources = await this.hub.drives.sources(drive);
            if (this.asked === turn && !this.isClosed) this.drawDrive(drive, sources);
        } catch (error) {
            if (this.asked !== turn || this.isClosed) return;
            this.seen = null;
            fill(
                this.detail,
                h("div", { class: "empty" }, h("h2", "This drive cannot be shown"), h("p", error.message)),
            );
        }
    }

    // MARK: Drawing

    refresh() {
        mark(this.detail, "inert", this.app.away || null);
        this.draw();
    }

    draw() {
        const { app, drives, none } = this, isOne = this.chosen !== null && narrow.matches;
        const { units } = app.hub.state.settings;
        app.parent(isOne ? ["drives", "Drives"] : ["history", "History"]);
        app.head(isOne ? "Drive" : "Drives", drives?.length && !isOne ? this.summary(drives) : "");
        const isEmpty = !drives?.length;
        none.hidden = !isEmpty || isOne || (drives === null && !this.trouble && !app.away);
        this.list.hidden = isEmpty || isOne;
        this.detail.hidden = narrow.matches ? !isOne : isEmpty;
        if (isEmpty) {
            this.place.hidden = Boolean(this.trouble || app.away);
            fill(
                none.firstChild,
                this.trouble ? "Not available here" : app.away ? app.notKnown : "Nothing driven yet",
            );
            fill(
                none.children[1],
                this.trouble ??
                    (app.away
                        ? "Drives appear here by themselves when it is back."
                        : "When Lantern knows its place, each drive is kept here with what was new on it."),
            );
            return;
        }
        const shape = JSON.stringify([drives, this.wanted, units]);
        if (shape === this.shape) return;
        this.shape = shape;
        fill(this.list, drives.map((drive) => h("li", this.row(drive))));
    }

    summary(drives) {
        const metres = drives.reduce((sum, one) => sum + one.metres, 0);
        return `${counted(drives.length, "drive")}, ${far(metres)}`;
    }

    row(drive) {
        const { id, begin, end, metres, sources_new: fresh, sources_known: known } = drive;
        return h(
            "a",
            {
                class: "drive-row",
                href: `#/drives/${id}`,
                "aria-current": id === this.wanted ? "true" : null,
            },
            h(
                "span",
                { class: "grow" },
                h("span", { class: "drive-day" }, `${day(begin)}, ${clock(begin)} to ${clock(end)}`),
                h(
                    "span",
                    { class: "hint" },
                    `${far(metres)}, ${fresh + known ? counted(fresh + known, "source") : "no source"}`,
                ),
            ),
            fresh ? h("span", { class: "tag tag-quiet" }, `${count(fresh)} new`) : null,
        );
    }

    drawDrive(drive, { fresh, met, more }) {
        const { begin, end, metres, points } = drive, { units } = this.app.hub.state.settings;
        const figure = (value, word) =>
            h("div", h("div", { class: "figure" }, value), h("div", { class: "label" }, word));
        const filter = this.hub.drives.filter(drive);
        const middle = points[Math.floor(points.length / 2)];
        fill(
            this.detail,
            h("h2", `${day(begin)}, ${clock(begin)} to ${clock(end)}`),
            h(
                "div",
                { class: "card figures drive-figures" },
                figure(far(metres), "Length"),
                figure(span(Date.parse(end) - Date.parse(begin)), "Time"),
                figure(count(drive.sources_new), "New"),
                figure(count(drive.sources_known), "Met again"),
            ),
            h(
                "section",
                { class: "card drive-way", "aria-label": "The route" },
                wayOf(points, fresh, met, units),
            ),
            h(
                "div",
                { class: "drive-actions" },
                middle
                    ? h(
                        "a",
                        {
                            class: "button",
                            href: `#/map/at/${middle[0].toFixed(5)},${middle[1].toFixed(5)},14`,
                        },
                        symbol("map", 18),
                        "Show on the map",
                    )
                    : null,
                button(
                    [symbol("download", 18), "Export"],
                    () =>
                        offerExport(
                            this.hub,
                            filter,
                            "Everything received during this drive. GPX and KML have its route, too.",
                        ),
                    { kind: "outlined" },
                ),
                button([symbol("trash", 18), "Delete"], () => this.remove(drive), { kind: "danger" }),
            ),
            this.sources(
                "New on this drive",
                fresh,
                drive.sources_new,
                drive.sources_new
                    ? "What was new has been deleted since."
                    : "Nothing was heard here for the first time.",
            ),
            met.length ? this.sources("Met again", met, drive.sources_known) : null,
            more ? h("p", { class: "hint" }, "There were more. History lists them all for this time.") : null,
        );
    }

    /// A list of sources; `all` is how many there were, `none` is said when none is left.
    sources(title, sources, all, none = null) {
        const row = (source) =>
            h(
                "li",
                h(
                    "a",
                    { class: "drive-source", href: `#/history/source/${source.id}` },
                    detectionMark(source.type, "soft", 32),
                    h(
                        "span",
                        { class: "grow" },
                        h(
                            "span",
                            { class: "first" },
                            types[source.type]?.[0] ?? "Unknown",
                            " ",
                            tags(source),
                        ),
                        h("span", { class: "hint cut" }, alias(source)),
                    ),
                    bars(source.rssi),
                    spoken(distance(source.rssi)),
                    h("span", { class: "second" }, dBm(source.rssi)),
                ),
            );
        return h(
            "section",
            { class: "card drive-sources", "aria-label": title },
            h(
                "div",
                { class: "card-head" },
                h("h3", title),
                h(
                    "span",
                    { class: "hint" },
                    sources.length < all
                        ? `${count(sources.length)} of ${count(all)}`
                        : count(sources.length),
                ),
            ),
            sources.length ? h("ul", sources.map(row)) : h("p", { class: "hint" }, none),
        );
    }

    /// Deletes a drive for good, so that somebody is asked.
    remove(drive) {
        dialog(
            "Delete this drive?",
            h(
                "p",
                { class: "second" },
                "Its route is deleted for good. What was received on it stays in History.",
            ),
            {
                actions: [["Keep it", "", () => {}], ["Delete", "danger", () => {
                    this.app.run(null, () => this.hub.drives.remove(drive.id), () => {
                        toast("The drive is deleted.");
                        this.drives = this.drives.filter(({ id }) => id !== drive.id);
                        this.seen = undefined;
                        location.hash = "#/drives";
                        if (this.chosen === null) this.turn([]);
                    });
                }]],
            },
        );
    }
}
