// The hub as pages know it: state, queries, commands and events, whatever the way to it is (`way.js`).
// README.md beside it is the interface.
import { DeviceJobs } from "./hub-jobs.js";
import { Drives } from "./hub-drives.js";
import { ExplorerRequests } from "./hub-explorer.js";
import { KnownSets } from "./hub-known.js";
import { OverflowRequests } from "./hub-overflow.js";
import { PairingRequests } from "./hub-pairing.js";
import { forgetDevice, meetDevice, meetSources } from "./text.js";
import { makeTransport } from "./transport.js";

export { HubError } from "./http-transport.js";

const silence = 20000;
const longestWait = 30000;
// Of what is recent so many are asked for; and so many in any case, however old they are.
const recentLimit = 1000, latest = 50;

export class Hub {
    constructor(transport = makeTransport()) {
        this.transport = transport;
        this.state = {
            link: "connecting",
            known: null,
            // Why the hub cannot say what it knows, when it says so itself.
            refusal: null,
            next: null,
            hub: null,
            settings: null,
            devices: new Map(),
            recent: [],
        };
        this.listeners = new Map();
        this.lastId = null;
        this.wait = 1000;
        this.jobs = new DeviceJobs(this);
        this.explorer = new ExplorerRequests(this);
        this.knownSets = new KnownSets(this);
        this.drives = new Drives(this);
        this.overflow = new OverflowRequests(this);
        this.pairing = new PairingRequests(this);
        // The last moment at which a page that is put away does anything.
        document.addEventListener("visibilitychange", () => {
            if (document.hidden && this.state.link === "live") this.transport.remember?.(this.state);
        });
    }

    // MARK: Events

    /// The time as the hub has it: ages hold on a phone whose clock is wrong, too.
    get now() {
        return Date.now() + this.transport.ahead;
    }

    /// Calls back with each event of a name ("*" for every one); returns a function that ends it.
    on(name, action) {
        if (!this.listeners.has(name)) this.listeners.set(name, new Set());
        this.listeners.get(name).add(action);
        return () => this.listeners.get(name).delete(action);
    }

    /// Calls back everybody; a page that fails is reported, and is no reason to take the hub for gone.
    tell(name, value) {
        const all = name === "*" ? [] : this.listeners.get("*") ?? [];
        for (const action of [...(this.listeners.get(name) ?? []), ...all]) {
            try {
                action(value, name);
            } catch (error) {
                reportError(error);
            }
        }
    }

    // MARK: The way to the hub

    async request(method, path, options = {}) {
        try {
            return await this.transport.request(method, path, options);
        } catch (error) {
            if (error.status === 401 && path !== "/session") this.become("login");
            throw error;
        }
    }

    become(link) {
        if (this.state.link === link) return;
        this.state.link = link;
        if (link === "login") {
            this.stream?.abort();
            this.transport.forget?.();
        }
        this.tell("link", link);
    }

    /// Fetches what is known, follows the events, and does so again whenever they end. Never returns.
    async run() {
        for (;;) {
            try {
                await this.catchUp();
                this.state.refusal = null;
                await this.follow();
            } catch (error) {
                this.state.refusal = error.status > 0 ? error.message : null;
                if (error.status === 401) this.become("login");
                else if (this.state.link !== "login") {
                    if (!this.state.hub) this.recall();
                    this.become("away");
                }
            }
            if (this.state.link === "live") this.become("away");
            await this.pause();
        }
    }

    /// Shows what was known when the hub was last heard, where that was kept.
    recall() {
        const kept = this.transport.recall?.();
        if (!kept) return;
        Object.assign(this.state, kept);
        this.tell("state", this.state);
    }

    pause() {
        const wait = this.state.link === "login" ? 86400000 : this.wait * (0.8 + Math.random() * 0.4);
        this.state.next = Date.now() + wait;
        this.wait = Math.min(longestWait, this.wait * 2);
        return new Promise((resume) => {
            const timer = setTimeout(resume, wait);
            this.retryNow = () => {
                clearTimeout(timer);
                resume();
            };
        });
    }

    /// Tries the hub at once.
    tryNow() {
        this.wait = 1000;
        this.retryNow?.();
    }

    /// Everything that pages show, afresh: the events after `last_event_id` follow.
    async catchUp() {
        const hub = await this.request("GET", "/hub");
        const [settings, devices, recent] = await Promise.all([
            this.request("GET", "/settings"),
            this.request("GET", "/devices"),
            this.fetchRecent(),
        ]);
        const state = this.state;
        Object.assign(state, {
            hub,
            settings,
            devices: new Map(devices.items.map((device) => [device.id, device])),
        });
        for (const device of devices.items) meetDevice(device);
        state.recent = recent;
        this.lastId ??= hub.last_event_id;
        state.known = this.now;
        this.transport.remember?.(state);
        this.tell("state", state);
    }

    /// The detections of the last minutes, the newest first; where they are few, the latest before them, too.
    async fetchRecent() {
        const since = new Date(this.now - 10 * 60000).toISOString();
        const ask = async (filter) => (await this.request("GET", "/detections", { filter })).items;
        const recent = await ask({ since, limit: recentLimit });
        if (recent.length >= latest) return recent;
        // Each is asked for once.
        const before = await ask({ until: since, limit: latest - recent.length });
        const seen = new Set(recent.map(({ id }) => id));
        return [...recent, ...before.filter(({ id }) => !seen.has(id))].sort((a, b) => b.id - a.id);
    }

    async follow() {
        const ended = this.stream = new AbortController();
        let timer;
        const alive = () => {
            clearTimeout(timer);
            timer = setTimeout(() => ended.abort(), silence);
            this.state.known = this.now;
        };
        try {
            await this.transport.follow(this.lastId, ended.signal, {
                opened: () => {
                    this.become("live");
                    this.wait = 1000;
                    alive();
                },
                alive,
                take: async (name, value, id) => {
                    if (id !== undefined) this.lastId = id;
                    this.take(name, value);
                    if (name === "gap") await this.catchUp();
                },
            });
        } finally {
            clearTimeout(timer);
            ended.abort();
        }
    }

    take(name, value) {
        this.apply(name, value);
        this.tell(name, value);
    }

    /// What an event changes in the state.
    apply(name, value) {
        const state = this.state;
        if (name === "detection") {
            // They come in their order: only after a gap may one be here already.
            const known = state.recent.length && value.id <= state.recent[0].id;
            if (known && state.recent.some((item) => item.id === value.id)) return;
            state.recent.unshift(value);
            const old = this.now - 11 * 60000;
            while (state.recent.length > latest && Date.parse(state.recent.at(-1).received) < old) {
                state.recent.pop();
            }
            if (state.recent.length > 5000) state.recent.length = 5000;
        } else if (name === "detections_deleted") {
            const gone = new Set(value.deleted);
            state.recent = state.recent.filter((item) => !gone.has(item.id));
        } else if (name === "detection_placed") {
            const { latitude, longitude, fix_source, fix_age_ms, accuracy, altitude } = value;
            const fix = { source: fix_source, age_ms: fix_age_ms, accuracy, altitude };
            for (const item of state.recent) {
                if (item.id === value.id) Object.assign(item, { latitude, longitude, fix });
            }
        } else if (name === "source_changed") {
            const { mine, muted, false_alarm, note } = value.source;
            for (const item of state.recent) {
                if (item.source === value.source.id) Object.assign(item, { mine, muted, false_alarm, note });
            }
        } else if (name === "device_changed") {
            meetDevice(value.device, state.devices.get(value.device.id));
            state.devices.set(value.device.id, value.device);
        } else if (name === "device_gone") {
            forgetDevice(state.devices.get(value.id));
            state.devices.delete(value.id);
        } else if (name === "hub_changed") Object.assign(state.hub, value.hub);
        else if (name === "settings_changed") {
            state.settings = Object.defineProperty(value.settings, "etag", { value: value.etag });
        }
    }

    // MARK: Queries

    detections(filter) {
        return this.request("GET", "/detections", { filter }).then(meetSources);
    }
    detection(id) {
        return this.request("GET", `/detections/${id}`);
    }
    sources(filter) {
        return this.request("GET", "/sources", { filter }).then(meetSources);
    }
    source(id) {
        return this.request("GET", `/sources/${id}`);
    }
    /// Pins and clusters of a box at a zoom: {box, zoom}, with the filter of `sources`.
    map(filter) {
        return this.request("GET", "/map", { filter });
    }
    mapRoutes(filter) {
        return this.request("GET", "/map/routes", { filter });
    }
    mapKnown({ zoom: _, ...filter }) {
        return this.request("GET", "/map/known", { filter });
    }
    /// What a link has to a file with exactly what a filter shows.
    importFile = (file) => this.transport.importFile(file);
    exportFile(format, filter) {
        return this.transport.file(`/exports/detections.${format}`, filter);
    }
    captureFile = () => this.transport.file("/capture/file");
    databaseFile = () => this.transport.file("/database");

    // MARK: Commands

    connect(id) {
        return this.request("POST", `/devices/${id}/connect`);
    }
    disconnect(id) {
        return this.request("POST", `/devices/${id}/disconnect`);
    }
    /// Sends PING, STATUS, RESET, stream_on or stream_off; the answer is {answer, milliseconds}.
    command(id, command) {
        return this.request("POST", `/devices/${id}/commands`, { body: { command } });
    }
    /// Remembers a device by its address; the answer is the device.
    addDevice(address, own_name) {
        return this.request("POST", "/devices", { body: { address, own_name } });
    }
    /// What is wanted of a device: own_name, auto_connect.
    changeDevice(id, change) {
        return this.request("PATCH", `/devices/${id}`, { body: change });
    }
    /// mine, muted, false_alarm, note; with `seen`, a source as this or source(id) answered it, only if
    /// nobody else has changed it since.
    changeSource(id, change, seen) {
        const headers = seen?.etag ? { "If-Match": seen.etag } : {};
        return this.request("PATCH", `/sources/${id}`, { body: change, headers });
    }
    /// action: delete, restore, mine, muted, false_alarm; of: {detections}, {sources} or {filter}; the
    /// answer is {changed, undo}, for marks with before: the numbers of the sources by the mark that they had.
    bulk(action, of, value = true) {
        return this.request("POST", "/detections/bulk", { body: { action, value, ...of } });
    }
    deleteDetection(id) {
        return this.request("DELETE", `/detections/${id}`);
    }
    restoreDetection(id) {
        return this.request("POST", `/detections/${id}/restore`);
    }
    sendPosition(position) {
        return this.request("POST", "/position", { body: position });
    }
    retryRadio() {
        return this.request("POST", "/radio/retry");
    }
    startCapture() {
        return this.request("POST", "/capture");
    }
    stopCapture() {
        return this.request("DELETE", "/capture");
    }
    tokens() {
        return this.request("GET", "/tokens");
    }
    /// what is {name, role}.
    makeToken(what) {
        return this.request("POST", "/tokens", { body: what });
    }
    revokeToken(id) {
        return this.request("DELETE", `/tokens/${id}`);
    }
    signAllOut() {
        return this.request("DELETE", "/tokens/sessions");
    }
    restoreDatabase(file) {
        return this.request("PUT", "/database", {
            body: file,
            raw: true,
            headers: { "Content-Type": "application/vnd.sqlite3" },
        });
    }
    /// Changes settings; when somebody else was faster, fetches theirs and tries once more.
    async changeSettings(change) {
        for (let attempt = 0;; attempt += 1) {
            try {
                this.state.settings = await this.request("PATCH", "/settings", {
                    body: change,
                    headers: { "If-Match": this.state.settings.etag ?? "*" },
                });
                return this.tell("settings_changed", { settings: this.state.settings });
            } catch (error) {
                if (error.status !== 412 || attempt > 0) throw error;
                this.state.settings = await this.request("GET", "/settings");
            }
        }
    }
    /// {hub, signed_in, role}: all that is told to somebody who has not signed in.
    session() {
        return this.request("GET", "/session");
    }
    async login(token) {
        await this.request("POST", "/session", { body: { token } });
        this.lastId = null;
        this.state.link = "connecting";
        this.tryNow();
    }
    async logout() {
        await this.request("DELETE", "/session");
        this.become("login");
    }
}
