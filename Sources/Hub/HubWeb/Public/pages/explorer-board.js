// Everything that the hub hears, as the list of the Explorer wants it: searched, filtered, in an order that stays while
// somebody points at it.
import { deviceText, meetDevice } from "../text.js";

/// The orders, in words.
export const orders = {
    strongest: "Strongest first",
    newest: "Newest first",
    name: "By name",
    often: "Most often first",
};
/// What a filter of strength can be: each at least so many dBm.
export const strengths = [-60, -70, -80, -90, -97];

export const noFilters = () => ({
    text: "",
    order: "strongest",
    rssi: null,
    named: false,
    connectable: false,
    maker: null,
});

/// How many filters are set beside the search.
export const filterCount = ({ rssi, named, connectable, maker }) =>
    [rssi !== null, named, connectable, maker !== null].filter(Boolean).length;

/// What stands below a name: who it is, as far as it says so.
export const whoIs = ({ who }) => who || "Does not say what it is";

/// How far the strength that a device is sorted by may be from the last one heard, in dB: what only flickers stays where it is.
const calm = 5;
/// How many strengths a history has, and what stands there where nothing was heard.
const longest = 30;
export const silent = 127;

export class Board {
    constructor(filters) {
        this.filters = filters;
        this.all = new Map();
        this.rows = [];
        this.words = new Map();
        this.held = false;
        this.waiting = 0;
    }

    /// Everything afresh.
    fill(items) {
        this.all.clear();
        this.words.clear();
        for (const item of items) this.take(item);
        this.isDue = true;
    }

    take(item, says = true) {
        const known = this.all.get(item.id), rssi = item.strength ?? -128;
        item.sorted = known && Math.abs(known.sorted - rssi) < calm ? known.sorted : rssi;
        this.all.set(item.id, item);
        meetDevice(item);
        if (says) this.words.delete(item.id);
        this.isDue = true;
    }

    /// What the signal of a device has become.
    signal({ history_slot, slot_rssi, ...signal }) {
        const known = this.all.get(signal.id);
        if (!known) return;
        const steps = Math.min(longest, Math.max(0, history_slot - known.history_slot));
        const history = [...known.history, ...Array(steps).fill(silent)].slice(-longest);
        if (history_slot >= known.history_slot) history[history.length - 1] = slot_rssi;
        this.take(
            { ...known, ...signal, history, history_slot: Math.max(history_slot, known.history_slot) },
            false,
        );
    }

    remove(id) {
        this.all.delete(id);
        this.words.delete(id);
        this.isDue = true;
    }

    /// All that can be searched for in a device.
    wordsOf(device) {
        let words = this.words.get(device.id);
        if (words === undefined) {
            words = [
                device.name,
                device.own_name,
                device.address,
                device.who,
                device.note,
                ...device.makers,
                ...device.services,
                ...device.service_names,
            ].filter(Boolean).join("\n").toLowerCase();
            this.words.set(device.id, words);
        }
        return words;
    }

    fits(device) {
        const { text, rssi, named, connectable, maker } = this.filters;
        return (rssi === null || (device.rssi ?? -128) >= rssi) &&
            (!named || device.name || device.own_name) &&
            // Not every radio tells: what may take links is not hidden.
            (!connectable || device.connectable !== false) &&
            (maker === null || device.makers.includes(maker)) &&
            (!text || text.toLowerCase().split(/\s+/).every((word) => this.wordsOf(device).includes(word)));
    }

    /// Chooses and orders the rows; while the list is held those that are there stay where they are.
    sort({ force = false } = {}) {
        if (!this.isDue && !force) return;
        this.isDue = false;
        const fitting = [...this.all.values()].filter((device) => this.fits(device));
        if (this.held && !force && this.rows.length) {
            const ids = new Set(this.rows.map(({ id }) => id));
            this.waiting = fitting.filter(({ id }) => !ids.has(id)).length;
            // Who is gone keeps the place as it was last, until the list moves again.
            this.rows = this.rows.map((row) => this.all.get(row.id) ?? row);
            return;
        }
        this.waiting = 0;
        this.rows = fitting.sort(this.comparison);
    }

    get comparison() {
        const tie = (a, b) => a.id - b.id, name = (one) => one.own_name || one.name;
        return {
            strongest: (a, b) => b.sorted - a.sorted || tie(a, b),
            newest: (a, b) => Date.parse(b.first_heard) - Date.parse(a.first_heard) || tie(a, b),
            name: (a, b) =>
                Boolean(name(b)) - Boolean(name(a)) || deviceText(a).localeCompare(deviceText(b), "en") ||
                tie(a, b),
            often: (a, b) => (a.interval ?? Infinity) - (b.interval ?? Infinity) || tie(a, b),
        }[this.filters.order];
    }

    /// The makers that are there, the most frequent first.
    get makers() {
        const found = new Map();
        for (const device of this.all.values()) {
            for (const maker of device.makers) found.set(maker, (found.get(maker) ?? 0) + 1);
        }
        return [...found].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
    }
}
