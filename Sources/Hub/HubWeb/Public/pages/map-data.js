// SPDX-License-Identifier: Apache-2.0
// What the map asks of the hub, and what it has answered: at most 1,500 pins and clusters, routes, cameras.
import { toast } from "../overlays.js";
import { boxText } from "./map-view.js";

/// A page draws no more than this, whatever it is sent.
const most = 1500;
/// Known cameras are asked for from this zoom on.
const camerasFrom = 11;
const world = { box: "-180,-90,180,90", zoom: 1 };
/// So many sources of a cluster, and that are found elsewhere, are listed.
const listed = 100, found = 20;
/// So many without a map.
const plain = 500;
// What was shown last, for when the page is opened while the hub is away.
let kept = null;

/// A source stands where it probably is; else where it was heard best.
const pinOf = (source) => {
    const { latitude, longitude, radius = null, spots = null } = source.place ?? source;
    return { ...source, kind: "pin", key: `pin-${source.id}`, latitude, longitude, radius, spots };
};
const clusterOf = (cluster) => ({
    ...cluster,
    kind: "cluster",
    key: `cluster-${cluster.latitude.toFixed(5)}-${cluster.longitude.toFixed(5)}-${cluster.count}`,
});
const isWithin = (item, { south, west, north, east }) =>
    item.latitude >= south && item.latitude <= north &&
    (west <= east
        ? item.longitude >= west && item.longitude <= east
        : item.longitude >= west || item.longitude <= east);

/// The filter without what is mine, muted or a false alarm, unless it asks for just that.
function withMarks(filter, wanted) {
    if (wanted) return filter;
    if (!filter.state.length) return { ...filter, state: ["none"] };
    return filter.state.includes("new") ? { ...filter, state: ["new"] } : filter;
}

/// Whether a known camera has a text that is looked for.
const says = ({ name, set, reference }, text) =>
    !text || [name, set, reference].join("\n").toLowerCase().includes(text.toLowerCase());

/// The box around features; null without any. `far` ones lie over the date line.
export function boxAround(items) {
    if (!items.length) return null;
    const lats = items.flatMap((one) => [one.south ?? one.latitude, one.north ?? one.latitude]);
    const lngs = items.flatMap((one) => [one.west ?? one.longitude, one.east ?? one.longitude]).sort((a, b) =>
        a - b
    );
    // The widest gap between neighbours lies outside.
    let gap = lngs[0] + 360 - lngs.at(-1), west = lngs[0], east = lngs.at(-1);
    for (let index = 1; index < lngs.length; index += 1) {
        if (lngs[index] - lngs[index - 1] <= gap) continue;
        gap = lngs[index] - lngs[index - 1];
        [west, east] = [lngs[index], lngs[index - 1]];
    }
    return { south: Math.min(...lats), north: Math.max(...lats), west, east };
}

export class MapData {
    constructor(page, changed) {
        this.page = page;
        this.hub = page.hub;
        this.changedAll = changed;
        this.clear();
        if (kept && page.app.away) Object.assign(this, kept);
    }

    clear() {
        Object.assign(this, { pins: [], clusters: [], heat: [], routes: [], known: [], progress: null });
        /// What a search finds where nothing in view fits it.
        this.elsewhere = [];
        this.fresh = new Map();
        this.wanted = null;
        this.isKnown = false;
        /// What there is in the whole world with the filter, once it was asked for.
        this.whole = null;
    }

    stop() {
        clearTimeout(this.timer);
        this.asking = null;
        this.isStopped = true;
    }

    /// Asks again after a while: at once where the view has changed, else at most once a second.
    later(milliseconds = Math.max(0, 1000 - (Date.now() - (this.asked ?? 0)))) {
        const due = Date.now() + milliseconds;
        if (this.timer && this.due <= due) return;
        clearTimeout(this.timer);
        this.due = due;
        this.timer = setTimeout(() => {
            this.timer = null;
            this.ask();
        }, milliseconds);
    }

    async ask() {
        const { page, hub } = this, { view, layers } = page;
        if (this.isStopped) return;
        if (page.isPlain) return this.askForList();
        if (!view) return;
        if (page.app.away) return page.show();
        this.asked = Date.now();
        const turn = this.asking = {}, filter = this.filter();
        const box = { box: boxText(view.box), zoom: view.zoom };
        const { on } = layers;
        const part = (wanted, ask) => wanted ? ask().catch(() => null) : Promise.resolve(undefined);
        const beside = Promise.all([
            part(on.route || on.been, () => hub.mapRoutes(box)),
            part(on.known && view.zoom >= camerasFrom, () => hub.mapKnown(box)),
        ]);
        try {
            const answer = await hub.map({ ...filter, ...box, heat: on.heat || null });
            if (this.asking !== turn) return;
            this.take(answer);
            await this.findWanted();
            if (!this.pins.length && !this.clusters.length || page.wantsAll) {
                this.whole = await hub.map({ ...filter, ...world });
            } else this.whole = null;
            const isElsewhere = filter.text && this.whole?.sources > 0;
            const others = isElsewhere
                ? await hub.sources({ ...filter, place: "with", limit: found })
                : { items: [] };
            if (this.asking !== turn) return;
            this.elsewhere = others.items.map(pinOf);
        } catch (error) {
            if (this.asking === turn && !page.app.away) toast(error.message);
        }
        const [routes, known] = await beside;
        if (this.asking !== turn) return;
        // What failed keeps what was there.
        if (routes !== null) this.routes = routes?.routes ?? [];
        if (known !== null) {
            this.known = (known?.known ?? []).filter((one) => says(one, filter.text)).map((one) => ({
                ...one,
                kind: "known",
                key: `known-${one.id}`,
            }));
        }
        const { pins, clusters, heat } = this;
        kept = { pins, clusters, heat, routes: this.routes, known: this.known, isKnown: true };
        this.changedAll();
        if (page.wantsAll) {
            page.wantsAll = false;
            this.showAll();
        }
    }

    /// Without a map: the sources that would stand on it, the newest first.
    async askForList() {
        const turn = this.asking = {};
        try {
            const { items } = await this.hub.sources({ ...this.filter(), place: "with", limit: plain });
            if (this.asking !== turn) return;
            this.pins = items.map(pinOf);
            this.page.show();
        } catch (error) {
            if (!this.page.app.away) toast(error.message);
        }
    }

    filter() {
        return withMarks(this.page.filters.value(), this.page.layers.on.quiet);
    }

    /// Asks for the sources of a cluster that does not come apart.
    async list(cluster) {
        const edge = 0.00001, { south, west, north, east } = cluster;
        const box = boxText({
            south: Math.max(-90, south - edge),
            west: Math.max(-180, west - edge),
            north: Math.min(90, north + edge),
            east: Math.min(180, east + edge),
        });
        try {
            const { items, total } = await this.hub.sources({ ...this.filter(), box, limit: listed });
            if (this.page.chosen?.key !== cluster.key) return;
            this.page.chosen = { ...cluster, sources: items.map(pinOf), total };
            this.page.show();
        } catch (error) {
            toast(error.message);
        }
    }

    take({ pins, clusters, heat, progress }) {
        this.isKnown = true;
        this.pins = pins.slice(0, most).map(pinOf).sort((a, b) => (b.last ?? "").localeCompare(a.last ?? ""));
        this.clusters = clusters.slice(0, Math.max(0, most - this.pins.length)).map(clusterOf)
            .sort((a, b) => b.count - a.count);
        this.heat = heat ?? [];
        this.progress = progress ?? null;
    }

    /// The source that a link names: a pin in view, or asked for by its number.
    async findWanted() {
        const id = this.wanted;
        if (!id) return;
        this.wanted = null;
        let pin = this.pins.find((one) => one.id === id);
        if (!pin) {
            const source = await this.hub.source(id).catch(() => null);
            if (!source) return toast("The source of this link is no longer there.");
            pin = pinOf(source);
            if (pin.latitude === null) return toast("The source of this link has no place.");
        }
        this.page.choose(pin);
    }

    find(key) {
        return [...this.pins, ...this.known].find((one) => one.key === key);
    }

    /// What is in the part of the map that no panel covers.
    seen(view) {
        const { open } = view, isIn = (item) => open.contains(view.at(item));
        return {
            pins: this.pins.filter(isIn),
            clusters: this.clusters.filter(isIn),
            known: this.page.layers.on.known ? this.known.filter(isIn) : [],
            elsewhere: this.elsewhere,
        };
    }

    /// Shows everything that the filter lets through.
    showAll() {
        const { pins = [], clusters = [] } = this.whole ?? {}, around = boxAround([...pins, ...clusters]);
        if (around) this.page.view.fit(around);
    }

    // MARK: What happens

    /// A detection that has come: what is in view is asked for again, and glows.
    arrived(event) {
        if (event.latitude === null || event.latitude === undefined) return;
        if (this.page.isPlain) return this.later();
        if (!this.page.view) return;
        if (!isWithin(event, this.page.view.box)) return;
        this.fresh.set(event.source, event);
        if (this.page.view.open.contains(this.page.view.at(event))) this.page.arrival(event);
        this.later();
    }

    /// The keys of what shall glow: the pin of each source that was heard, or the cluster that holds it.
    takeFresh() {
        if (!this.fresh.size || this.timer) return [];
        const keys = [...this.fresh].map(([source, event]) =>
            this.pins.find((one) => one.id === source)?.key ??
                this.clusters.find((one) => isWithin(event, one))?.key
        );
        this.fresh.clear();
        return keys.filter(Boolean);
    }

    changed(source) {
        const { mine, muted, false_alarm, note } = source;
        for (const pin of this.pins) {
            if (pin.id === source.id) Object.assign(pin, { mine, muted, false_alarm, note });
        }
        const { chosen } = this.page;
        if (chosen?.kind === "pin" && chosen.id === source.id) {
            this.page.chosen = { ...chosen, mine, muted, false_alarm, note };
        }
        this.changedAll();
        this.later();
    }
}
