// The arcs: time to the right, signal upward; one line for each source that was passed, its mark at the
// strongest sighting.
import { h, mark, s, say } from "../dom.js";
import { keyed } from "../list.js";
import { calm, isQuiet, markGroup, types } from "../marks.js";
import { clock, counted, dBm } from "../text.js";

const strongest = -36, weakest = -100;
const bands = [["Very close", -36, -50], ["Close", -50, -70], ["Medium", -70, -85], ["Far", -85, -100]];
const apart = 90000;
const most = 120;
// Sources that stand side by side.
const room = 48;
// A phone's picture is that much smaller, so fewer passes are many.
const phoneShare = 0.4;

/// What is weaker than the picture reaches is not drawn along its edge: a line ends where it leaves.
function within(points) {
    const seen = (point) => point?.[1] > weakest;
    const kept = points.filter((point, index) => [point, points[index - 1], points[index + 1]].some(seen));
    return kept.length ? kept : points;
}

export class Arcs {
    constructor(app, phone) {
        this.app = app;
        this.phone = phone;
        this.items = [];
        this.width = 0;
        this.ground = s("g");
        this.passes = s("g");
        this.nowLine = s("line", { class: "now-line" });
        this.nowWord = s("text", { class: "now-word", "text-anchor": "middle" });
        this.picture = s(
            "svg",
            { class: "arcs", role: "img" },
            this.ground,
            this.passes,
            this.nowLine,
            this.nowWord,
        );
        this.element = h("div", { class: "arcs-box" }, this.picture);
        this.watcher = new ResizeObserver(([entry]) => {
            this.width = entry.contentRect.width;
            // Which minutes it shows is another matter on a phone.
            this.minutes = null;
            this.draw();
        });
        this.watcher.observe(this.element);
    }

    close() {
        this.watcher.disconnect();
    }
    get spans() {
        return this.phone.matches ? [2, 4] : [2, 5, 10];
    }
    get height() {
        return this.phone.matches ? 118 : 218;
    }
    get plot() {
        return this.height - 24;
    }
    get left() {
        return this.phone.matches ? 14 : 90;
    }
    get right() {
        return this.width - 26;
    }
    x(time) {
        return this.right - (this.right - this.left) * (this.now - time) / (this.minutes * 60000);
    }
    y(rssi) {
        return 8 +
            (this.plot - 8) * (strongest - Math.max(weakest, Math.min(strongest, rssi))) /
                (strongest - weakest);
    }

    /// So many of what a large picture has room for.
    share(number) {
        return this.phone.matches ? Math.round(number * phoneShare) : number;
    }

    show(items) {
        this.items = items;
    }

    /// As many minutes as a hub that has just begun can know of, and as many as there is room for: on a first
    /// evening all would lie at the edge, and in a town one on the other.
    measure() {
        const { spans } = this, times = new Map();
        let first = Date.parse(this.app.hub.state.hub.started);
        // The newest come first.
        for (const { source, received } of this.items) {
            const time = Date.parse(received);
            if (time < this.now - spans.at(-1) * 60000) break;
            first = Math.min(first, time);
            if (!times.has(source)) times.set(source, time);
        }
        const known = spans.findIndex((span) => this.now - first <= span * 60000);
        let index = known < 0 ? spans.length - 1 : known;
        const crowd = (span) => [...times.values()].filter((time) => time >= this.now - span * 60000).length;
        // Those that are only just too many do not have it go back and forth.
        const limit = (span) => this.minutes && span > this.minutes ? room * 2 / 3 : room;
        while (index && crowd(spans[index]) > limit(spans[index])) index -= 1;
        const minutes = spans[index];
        if (minutes === this.minutes) return;
        this.minutes = minutes;
        this.drawGround();
    }

    drawGround() {
        mark(this.picture, "viewBox", `0 0 ${this.width} ${this.height}`);
        mark(this.picture, "height", this.height);
        const parts = bands.map((
            [word, from, to],
            index,
        ) => [
            index % 2
                ? s("rect", {
                    class: "band",
                    x: 0,
                    y: this.y(from),
                    width: this.width,
                    height: this.y(to) - this.y(from),
                })
                : null,
            this.phone.matches
                ? null
                : s("text", { class: "axis", x: 16, y: (this.y(from) + this.y(to)) / 2 + 4 }, word),
        ]);
        const { now } = this, step = this.minutes > 5 || (this.phone.matches && this.minutes > 2) ? 2 : 1;
        this.now = 0;
        for (let minute = step; minute <= this.minutes; minute += step) {
            const x = this.x(-minute * 60000);
            if (this.phone.matches && minute === this.minutes) continue;
            parts.push(
                s("line", { class: "grid", x1: x, x2: x, y1: 8, y2: this.plot }),
                s(
                    "text",
                    { class: "axis", x, y: this.height - 8, "text-anchor": "middle" },
                    `−${minute} min`,
                ),
            );
        }
        this.now = now;
        this.ground.replaceChildren(...parts.flat().filter(Boolean));
    }

    draw() {
        if (!this.width || this.paused || document.hidden) return;
        this.now = this.app.time;
        this.measure();
        const groups = this.group();
        // A few less do not have it go back and forth.
        this.isDense = groups.length > this.share(this.isDense ? calm.above - 10 : calm.above);
        this.picture.classList.toggle("dense", this.isDense);
        this.crowd(groups);
        keyed(
            this.passes,
            groups,
            (group) => group.key,
            (group) => this.create(group),
            (element, group) => this.update(element, group),
        );
        for (
            const [name, value] of Object.entries({ x1: this.right, x2: this.right, y1: 8, y2: this.plot })
        ) mark(this.nowLine, name, value);
        mark(this.nowWord, "x", this.right);
        mark(this.nowWord, "y", this.height - 8);
        say(this.nowWord, this.app.away ? clock(this.now) : "Now");
        this.picture.classList.toggle("away", this.app.away);
        const best = groups.reduce(
            (one, group) => (!one || group.best.rssi > one.best.rssi ? group : one),
            null,
        );
        mark(
            this.picture,
            "aria-label",
            best
                ? `${
                    counted(groups.length, "pass", "passes")
                } in the last ${this.minutes} minutes, the strongest ${
                    types[best.best.type]?.[0] ?? "Unknown"
                } at ${dBm(best.best.rssi)}`
                : `Nothing in the last ${this.minutes} minutes`,
        );
    }

    /// The passes: sightings of one source with less than a minute and a half between them; the latest of very many.
    group() {
        const begin = this.now - this.minutes * 60000, open = new Map(), all = [];
        const grain = this.minutes * 60000 / this.width;
        // A pass that is drawn keeps its key though its first sightings are forgotten.
        const drawn = new Map();
        for (const key of this.passes.rows?.keys() ?? []) {
            const cut = key.lastIndexOf("-"), source = key.slice(0, cut);
            drawn.set(source, [...(drawn.get(source) ?? []), Number(key.slice(cut + 1))]);
        }
        for (let index = this.items.length - 1; index >= 0; index -= 1) {
            const item = this.items[index], time = Date.parse(item.received);
            if (time < begin || time > this.now + 5000) continue;
            let group = open.get(item.source);
            if (!group || time - group.end > apart) {
                const times = drawn.get(String(item.source)) ?? [];
                const held = times.findIndex((one) => Math.abs(one - time) < apart);
                const first = held < 0 ? time : times.splice(held, 1)[0];
                group = { key: `${item.source}-${first}`, points: [], best: item, first: time };
                open.set(item.source, group);
                all.push(group);
            }
            group.end = time;
            // Points that fall on each other are one.
            const last = group.points.at(-1);
            if (last && time - last[0] < grain) last[1] = Math.max(last[1], item.rssi);
            else group.points.push([time, item.rssi]);
            if (item.rssi >= group.best.rssi) group.best = item;
        }
        if (all.length <= most) return all;
        const oldest = all.map((group) => group.end).sort((one, other) => other - one)[most - 1];
        return all.filter((group) => group.end >= oldest).slice(-most);
    }

    /// Which passes have a mark: where marks would lie on each other the strongest has it, and others a dot.
    crowd(groups) {
        const size = this.phone.matches ? 18 : 22, marks = [];
        for (const group of [...groups].sort((one, other) => other.best.rssi - one.best.rssi)) {
            const x = this.x(Date.parse(group.best.received)), y = this.y(group.best.rssi);
            group.hasMark = !(this.isDense && marks.length >= this.share(calm.marks)) &&
                marks.every((mark) => Math.abs(mark[0] - x) >= size || Math.abs(mark[1] - y) >= size);
            if (group.hasMark) marks.push([x, y]);
        }
    }

    create(group) {
        const element = s("g");
        element.line = s("path", { class: "pass-line" });
        element.dots = s("path", { class: "pass-dots" });
        element.halo = s("circle", { class: "halo", r: 17 });
        element.spot = s("circle", { class: "spot", r: 4 });
        element.holder = s("g");
        element.append(element.line, element.dots, element.halo, element.spot, element.holder);
        element.type = null;
        element.key = group.key;
        return element;
    }

    update(element, group) {
        const { best, points } = group, size = this.phone.matches ? 18 : 22;
        const look = `${best.type} ${size}`;
        if (element.type !== look) {
            element.type = look;
            element.holder.replaceChildren(markGroup(best.type, "solid", this.phone.matches ? 18 : 22));
        }
        element.setAttribute(
            "class",
            `pass type-${types[best.type] ? best.type : "unknown"}${isQuiet(best) ? " is-quiet" : ""}${
                group.hasMark ? " has-mark" : ""
            }`,
        );
        const placed = within(points).map((
            [time, rssi],
        ) => [this.x(time).toFixed(1), this.y(rssi).toFixed(1)]);
        mark(element.line, "d", "M" + placed.map((point) => point.join(" ")).join("L"));
        mark(element.dots, "d", placed.map((point) => `M${point.join(" ")}h.01`).join(""));
        const x = this.x(Date.parse(best.received)), y = this.y(best.rssi);
        mark(
            element.holder,
            "transform",
            `translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${size / 32})`,
        );
        for (const circle of [element.halo, element.spot]) {
            mark(circle, "cx", x.toFixed(1));
            mark(circle, "cy", y.toFixed(1));
        }
        element.holder.toggleAttribute("hidden", !group.hasMark);
        element.spot.toggleAttribute("hidden", group.hasMark);
        const isFresh = !this.app.away && this.now - group.end <= 5000 && !isQuiet(best);
        element.halo.toggleAttribute("hidden", !isFresh || this.isDense && !group.hasMark);
    }
}
