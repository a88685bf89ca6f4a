// The links of the Explorer to devices: what the hub says of each, its tree, and the values that came.

/// How many values of one characteristic are kept here, of how many characteristics, and for how long its numbers are.
const longestLog = 200;
const mostLogs = 256;
const reach = 65000;
/// How many numbers there may be before only the least and the greatest of each quarter of a second are kept.
const mostPoints = 2000;

export class Works {
    constructor(hub, changed, came) {
        this.hub = hub;
        this.requests = hub.explorer;
        this.changed = changed;
        this.told = came;
        // By the numbers of devices: {explorer, tree, values}.
        this.all = new Map();
        this.connecting = new Set();
        this.refusals = new Map();
        // Jobs that this page has ended itself.
        this.given = new Set();
    }

    of(device) {
        return this.all.get(device);
    }
    isConnecting(device) {
        return this.connecting.has(device);
    }
    isOpen(device) {
        return this.all.get(device)?.explorer.job.phase === "open";
    }
    get openCount() {
        return [...this.all.keys()].filter((device) => this.isOpen(device)).length;
    }

    /// Takes over the links that a page of before, or another one, has open.
    async adopt() {
        // What begins meanwhile may be missing in the answer.
        const before = new Set([...this.all.values()].map(({ explorer }) => explorer.job.id));
        try {
            const { items } = await this.hub.jobs.list();
            const mine = items.filter(({ kind, id }) => kind === "explorer" && !this.given.has(id));
            for (const { explorer } of await Promise.all(mine.map(({ id }) => this.requests.state(id)))) {
                this.take(explorer);
            }
            const ids = new Set(mine.map(({ id }) => id));
            for (const [device, { explorer }] of this.all) {
                // What the hub does not know any more has ended while it was away; what was seen of it stays.
                const { id, phase } = explorer.job;
                if (phase === "ended" || ids.has(id) || !before.has(id)) continue;
                explorer.job = {
                    ...explorer.job,
                    phase: "ended",
                    reason: "Lantern has disconnected from the device in the meantime.",
                };
                this.changed(device);
            }
        } catch {
            // It is asked again when the hub is back.
        }
    }

    async connect(device) {
        if (this.connecting.has(device)) return;
        this.connecting.add(device);
        this.refusals.delete(device);
        this.changed(device);
        try {
            const explorer = await this.requests.begin(device);
            if (this.isClosed) return this.hub.jobs.end(explorer.job.id).catch(() => {});
            this.take(explorer);
        } catch (error) {
            this.refusals.set(device, error.message);
        }
        this.connecting.delete(device);
        this.changed(device);
    }

    /// The hub's word.
    take(explorer) {
        const { id, device } = explorer.job, known = this.all.get(device), old = known?.explorer;
        if (this.given.has(id) || this.isClosed) return;
        if (old && (old.job.id > id || (old.job.id === id && old.revision > explorer.revision))) return;
        const isNew = old?.job.id !== id;
        // A new link has values of its own; the tree of the last one is seen until the new one has come.
        const work = isNew
            ? { tree: known ? treeSeen(known) : null, values: new Map(), revision: -1 }
            : known;
        work.explorer = explorer;
        this.all.set(device, work);
        if (explorer.job.phase === "ended") work.ended ??= this.hub.now;
        if (explorer.tree_revision > Math.max(0, work.revision)) this.fetchTree(device, work, explorer);
        this.changed(device);
    }

    async fetchTree(device, work, { job, tree_revision }) {
        work.revision = tree_revision;
        try {
            const { tree } = await this.requests.state(job.id);
            if (this.all.get(device) !== work || !tree || work.revision > tree_revision) return;
            // What is read again stays as it was until it has been.
            work.tree = work.explorer.step === "ready" ? tree : withValues(tree, work.tree);
            this.changed(device);
        } catch {
            // It is tried again with the next word of the hub.
            work.revision = -1;
        }
    }

    // MARK: Values

    /// What is known of one value: the newest, its numbers of the last minute, its log, newest first.
    valueOf(work, handle) {
        let one = work.values.get(handle);
        if (!one) {
            work.values.set(handle, one = { last: null, points: [], log: [], total: 0, numbers: new Set() });
        }
        return one;
    }

    came({ job, values, left_out }) {
        for (const [device, work] of this.all) {
            if (work.explorer.job.id !== job) continue;
            const changed = new Set();
            for (const value of values) {
                this.note(work, value);
                changed.add(value.handle);
            }
            // What was left out is in the hub's log: it is fetched for who looks at it.
            if (left_out) work.hasGaps = true;
            this.told(device, changed);
        }
    }

    note(work, value) {
        const one = this.valueOf(work, value.handle);
        if (value.number && one.numbers.has(value.number)) return;
        one.numbers.add(value.number);
        this.keepFew(work, value.handle, one);
        // What was written is no value of the device before it is read.
        if (!value.kind.startsWith("write")) one.last = value;
        // What was left out is counted by the hub.
        one.total = Math.max(one.total, value.count);
        this.insert(one, value);
    }

    /// A device may send from more handles than anybody looks at: those that were silent longest are forgotten.
    keepFew(work, handle, one) {
        work.values.delete(handle);
        work.values.set(handle, one);
        if (work.values.size > mostLogs) work.values.delete(work.values.keys().next().value);
    }

    insert(one, value) {
        const before = one.log.findIndex(({ number }) => number < value.number);
        one.log.splice(before < 0 ? one.log.length : before, 0, value);
        for (const { number } of one.log.splice(longestLog)) one.numbers.delete(number);
        if (typeof value.plotted === "number" && !value.kind.startsWith("write")) {
            const time = Date.parse(value.time);
            one.points.push({ time, value: value.plotted, number: value.number });
            if (one.points.at(-2)?.time > time) one.points.sort((a, b) => a.time - b.time);
            const old = one.points.at(-1).time - reach;
            const first = one.points.findIndex((point) => point.time >= old);
            if (first > 0) one.points.splice(0, first);
            if (one.points.length > mostPoints) one.points = thinned(one.points);
        }
    }

    /// The log as the hub has it.
    async fetchLog(device, handle) {
        const work = this.all.get(device);
        if (!work) return;
        try {
            const { items, total } = await this.requests.log(work.explorer.job.id, { handle, limit: 100 });
            const one = this.valueOf(work, handle);
            for (const value of items) {
                if (one.numbers.has(value.number)) continue;
                one.numbers.add(value.number);
                this.insert(one, value);
            }
            one.total = total;
            one.last ??= items.find(({ kind }) => !kind.startsWith("write")) ?? null;
            this.told(device, new Set([handle]));
        } catch {
            // What came by itself is there.
        }
    }

    // MARK: Life

    keep() {
        for (const { explorer: { job } } of this.all.values()) {
            if (job.phase === "ended") continue;
            this.hub.jobs.keep(job.id).catch((error) => {
                if (error.status === 404) this.adopt();
            });
        }
    }

    async release(device) {
        const work = this.all.get(device), job = work?.explorer.job;
        if (!job || job.phase === "ended") return;
        this.given.add(job.id);
        work.explorer = { ...work.explorer, job: { ...job, phase: "ended", reason: null }, watched: [] };
        work.ended = this.hub.now;
        this.changed(device);
        await this.hub.jobs.end(job.id).catch(() => {});
    }

    close() {
        this.isClosed = true;
        for (const { explorer: { job } } of this.all.values()) {
            if (job.phase !== "ended") this.hub.jobs.end(job.id).catch(() => {});
        }
    }
}

const hasValue = ({ octets, error }) => typeof octets === "string" || Boolean(error);
const said = ({ octets, text, fields, misfit, incomplete, error, error_code }) => (
    { octets, text, fields, misfit, incomplete, error, error_code }
);

/// A tree in which each characteristic and descriptor is what `change` says.
const mapped = (tree, change) => ({
    ...tree,
    services: tree.services.map((service) => ({
        ...service,
        characteristics: service.characteristics.map((one) => ({
            ...change(one),
            descriptors: (one.descriptors ?? []).map(change),
        })),
    })),
});

/// The tree of a link as it was seen last: with the values that have come since it was fetched.
function treeSeen({ tree, values }) {
    return tree && mapped(tree, (one) => {
        const last = values.get(one.value_handle)?.last;
        return last ? { ...one, ...said(last) } : one;
    });
}

/// A tree whose values are being read, with those of the tree before it where they have not come yet.
function withValues(tree, before) {
    const known = new Map(), key = ({ uuid, value_handle, handle }) => `${uuid} ${value_handle ?? handle}`;
    if (before) mapped(before, (one) => known.set(key(one), one));
    return mapped(tree, (one) => {
        const old = hasValue(one) ? null : known.get(key(one));
        return old ? { ...one, ...said(old) } : one;
    });
}

/// Of each quarter of a second the least and the greatest number, in their order.
function thinned(points) {
    const kept = new Map();
    for (const point of points) {
        const slot = Math.floor(point.time / 250), { least, most } = kept.get(slot) ?? {};
        kept.set(slot, {
            least: least && least.value <= point.value ? least : point,
            most: most && most.value > point.value ? most : point,
        });
    }
    return [...kept.values()].flatMap(({ least, most }) =>
        least === most ? [least] : least.number < most.number ? [least, most] : [most, least]
    );
}
