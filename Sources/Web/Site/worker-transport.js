// SPDX-License-Identifier: Apache-2.0
// What answers the pages where there is no hub: the engine, in a worker of its own. It has what the way to a hub has.
import { BrowserBluetooth } from "./bluetooth.js";
import { HubError } from "./http-transport.js";
import { rememberServer } from "./map-server.js";
import { toast } from "./overlays.js";
import { SourceBar } from "./source-bar.js";
import { count, counted } from "./text.js";

const fault =
    "The engine of this page had to begin anew. What it had heard is gone; it begins to listen again.";
const second =
    "Lantern is open in another tab or window of this browser, which has the devices and what is kept. Go on there, or close it: this page goes on by itself then.";
// Where it is remembered what the engine runs on; what is invented is not kept.
const place = "lantern-source";

// Files that the engine takes: how many octets of one at most, unpacked, and what is said of more, as a hub does.
const files = {
    "/imports": [1 << 30, "the most that a page imports; the rows within it were imported."],
    "/map/known": [1 << 27, "the most that a page reads of known cameras. Nothing was changed."],
};

/// Octets as a text of as many characters, which the engine takes back as they are: not each file is UTF-8.
function charactersOf(octets) {
    let text = "";
    for (let at = 0; at < octets.length; at += 8192) {
        text += String.fromCharCode(...octets.subarray(at, at + 8192));
    }
    return text;
}

/// What is in a file of detections, and what its format has left out.
function exported(answer) {
    const left = [
        ["without_position", "without a position"],
        ["without_address", "without an address"],
        ["without_radio", "whose radio is unknown"],
    ].filter(([key]) => answer[key] > 0);
    const written = `${counted(answer.written, "detection")}.`;
    if (!left.length) return written;
    const parts = left.map(([key, words]) => `${count(answer[key])} ${words}`), last = parts.pop();
    const isOne = !parts.length && answer[left[0][0]] === 1;
    return `${written} ${parts.length ? `${parts.join(", ")} and ` : ""}${last} ${
        isOne ? "was" : "were"
    } left out.`;
}

/// Settings as they are; which map server they have is remembered.
function withServer(settings) {
    rememberServer(settings);
    return settings;
}

/// The time zone of this browser: what it is called, and how its clock goes from a year ago for two years.
function zone() {
    const day = 86400000, offset = (time) => -60 * new Date(time).getTimezoneOffset();
    const begin = Math.floor(Date.now() / day - 366) * day;
    const changes = [], offsets = [offset(begin)];
    for (let from = begin; from < begin + 3 * 366 * day; from += day) {
        if (offset(from + day) === offset(from)) continue;
        let [before, after] = [from, from + day];
        while (after - before > 1000) {
            const middle = Math.round((before + after) / 2000) * 1000;
            if (offset(middle) === offset(from)) before = middle;
            else after = middle;
        }
        changes.push([after / 1000, offset(after)]);
        offsets.push(offset(after));
    }
    return {
        name: Intl.DateTimeFormat().resolvedOptions().timeZone,
        offset: offsets[0],
        standard_offset: Math.min(...offsets),
        changes,
    };
}

export class WorkerTransport {
    constructor() {
        // The engine has the clock of this browser.
        this.ahead = 0;
        this.words = {
            who: "Lantern",
            here: "this page",
            meanwhile: "while the engine begins anew",
            leaflet: [
                "It draws the map and could not be fetched. Check the network, then load this page again.",
            ],
            ground: "The demo forgets what is chosen: with this browser's Bluetooth, or a hub, " +
                "the ground can come from a map server.",
            asking: "Starting.",
            away: "The engine of this page has stopped",
            broken: "The engine of this page does not work",
            check: "It begins anew by itself. If it does not, load the page again.",
        };
        // What cannot be done here, and why.
        this.lacks = {
            encryption:
                "This browser pairs by itself when a device asks for it. Saying which links are encrypted needs a hub.",
            size: "20,000 detections, then the oldest go. A limit in megabytes needs a hub.",
            gpsd: "gpsd needs a hub.",
            serving: "Serving a saved device needs a hub.",
            address: "A browser knows no addresses.",
            database: "History exports them as a file.",
        };
        this.waiting = new Map();
        this.lastRequest = 0;
        // What was asked last, without what was said with it, and what a fault has left for whoever can mend it.
        this.asked = [];
        this.report = null;
        this.source = chosenSource();
        // Whether nothing of what is chosen is there when the page has been loaded again.
        this.forgets = this.source === "air";
        this.words.finder = "The FlockFinder of the demo is connected to by itself.";
        if (this.source === "bluetooth") {
            this.words.finder =
                "Switch the FlockFinder on, keep it near and choose it: a page sees only the devices that you choose.";
            this.words.demo = ["Choose Demo above to see it with simulated devices."];
            this.words.ground = "Nothing leaves this browser.";
            this.lacks.size = "50,000 detections. A limit in megabytes needs a hub.";
            this.lacks.radio = "Needs a hub, which hears all devices. A page hears those that you choose.";
            this.words.again =
                "This page is loaded again then. A device that does not come back by itself has to be chosen again.";
            this.bluetooth = new BrowserBluetooth((message) =>
                this.worker?.postMessage({ radio: [JSON.stringify(message)] })
            );
            navigator.storage?.persist?.().catch(() => {});
        }
        this.begin();
        // Makes the page work without a network from then on; fetching all of it would hold up what is shown first.
        setTimeout(() => navigator.serviceWorker?.register("worker.js").catch(() => {}), 3000);
    }

    begin() {
        this.trouble = null;
        const address = new URL("engine-worker.js", import.meta.url);
        this.worker = new Worker(address, { type: "module", name: this.source });
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.stop(event.message);
        // Lamps are told what time it is where this page is.
        this.request("POST", "/zone", { body: zone() }).catch(() => {});
        this.bluetooth?.begin();
    }

    /// Ends an engine that is of no use any more; the next request begins another one.
    stop(reason, where) {
        this.worker?.terminate();
        this.worker = null;
        this.trouble = reason;
        this.report = { time: Date.now(), text: this.reportOf(where ?? reason) };
        this.faulted?.();
        console.error(`The engine has stopped: ${reason}`);
        this.refuse(new HubError(0, { detail: fault }));
        this.bluetooth?.end();
        this.ended?.();
    }

    /// What somebody who can mend a fault has to know; no value that anybody has typed is in it.
    reportOf(where) {
        return [
            `The engine of Lantern's pages has stopped, ${new Date().toISOString()}`,
            `On: ${this.source === "bluetooth" ? "this browser's Bluetooth" : "the air of the page"}`,
            // The rest of the address may have a place or what somebody looks for.
            `Page: ${location.hash.split("/", 2).join("/")}`,
            `Browser: ${navigator.userAgent}`,
            `Asked last: ${this.asked.join(", ") || "nothing"}`,
            where,
        ].join("\n");
    }

    refuse(error) {
        for (const { failed } of this.waiting.values()) failed(error);
        this.waiting.clear();
    }

    receive(message) {
        if (message.trouble) return this.stop(message.trouble, message.where);
        if ("kept" in message) return this.kept?.(message.kept);
        if ("isSecond" in message) {
            this.isSecond = message.isSecond;
            this.words.broken = this.isSecond
                ? "Lantern is open twice"
                : "The engine of this page does not work";
            return this.isSecond ? this.refuse(new HubError(409, { detail: second })) : this.retry?.();
        }
        this.alive?.();
        for (const text of message.told ?? []) {
            const value = JSON.parse(text);
            if ("answer" in value) this.answered(value);
            else if ("radio" in value) this.bluetooth?.take(value);
            else this.take?.(value.event, value);
        }
    }

    answered({ answer, status, value, detail, etag }) {
        const request = this.waiting.get(answer);
        if (!request) return;
        this.waiting.delete(answer);
        if (status >= 400) return request.failed(new HubError(status, { detail }));
        request.done(etag && value ? Object.defineProperty(value, "etag", { value: etag }) : value ?? null);
    }

    request(method, path, { body, filter, headers = {}, raw, file } = {}) {
        if (raw && path === "/saves") return this.bringSave(body, filter);
        if (raw) return this.bringFile(path, body, filter);
        if (this.isSecond) return Promise.reject(new HubError(409, { detail: second }));
        if (!this.worker) this.begin();
        this.lastRequest += 1;
        const id = this.lastRequest;
        this.asked = [...this.asked.slice(-9), `${method} ${path}`];
        const text = JSON.stringify({ id, method, path, filter, body, file, if_match: headers["If-Match"] });
        const answer = new Promise((done, failed) => {
            this.waiting.set(id, { done, failed });
            this.worker.postMessage(text);
        });
        return path === "/settings" && !this.forgets ? answer.then(withServer) : answer;
    }

    /// Gives `take` each event from now on, until the engine stops or `signal` says that it shall.
    follow(_lastId, signal, { opened, alive, take }) {
        if (!this.worker) return Promise.reject(new HubError(0, { detail: fault }));
        opened();
        return new Promise((resolve) => {
            Object.assign(this, { alive, take, ended: resolve });
            // An engine that is silent for so long computes without end.
            signal.addEventListener("abort", () => this.worker && this.stop("it was silent"));
        }).finally(() => Object.assign(this, { alive: null, take: null, ended: null }));
    }

    /// What a link to a file has: the engine makes those of detections, saves and logs, others need a hub.
    file(path, filter) {
        if (!/^\/(exports|saves|explorers)\//.test(path)) return { href: "needs-a-hub.html" };
        const save = async (event) => {
            event.preventDefault();
            const answer = await this.request("GET", path, { filter, file: true }).catch((error) => error);
            if (answer instanceof HubError) return toast(answer.message);
            const { name, text } = answer;
            const address = URL.createObjectURL(new Blob([text]));
            const download = name ?? `lantern-${path.slice("/exports/".length)}`;
            Object.assign(document.createElement("a"), { href: address, download }).click();
            setTimeout(() => URL.revokeObjectURL(address), 60000);
            if (answer.written !== undefined) toast(exported(answer));
        };
        return { href: `#${path.slice(1)}`, onclick: save };
    }

    /// Gives the engine the file of a saved device, which is small.
    async bringSave(file, filter) {
        const octets = charactersOf(new Uint8Array(await new Blob([file]).arrayBuffer()));
        return this.request("POST", "/saves", { filter, body: { octets } });
    }

    /// Takes a file with detections; the answer is that of a hub.
    importFile(file) {
        return this.bringFile("/imports", file);
    }

    /// Gives the engine a file, with `more` beside each piece; the answer is what came of all of it. One at a time.
    async bringFile(path, file, more) {
        if (!files[path]) throw new HubError(501, { detail: "Files need a hub: here no hub runs." });
        if (this.isBringing) {
            throw new HubError(409, { detail: "Another file is being imported. Wait until it is done." });
        }
        this.isBringing = true;
        try {
            return await this.bringPieces(path, file, more);
        } finally {
            this.isBringing = false;
        }
    }

    async bringPieces(path, file, more) {
        const { FileFault, piecesOf } = await import("./unpacking.js"), [most, excess] = files[path];
        let first = true;
        const give = (octets, rest) => {
            const body = { ...more, octets: charactersOf(octets), first, last: true, ...rest };
            first = false;
            return this.request("POST", path, { body });
        };
        try {
            for await (const octets of piecesOf(file, most)) {
                const answer = await give(octets, { last: false });
                // Of a file that cannot be read any further nothing more is wanted.
                if (answer) return answer;
            }
        } catch (fault) {
            if (!(fault instanceof FileFault)) throw fault;
            const answer = give([], { broken: fault.message });
            if (!fault.isTooLarge) return await answer;
            // Whatever the engine says of it.
            await answer.catch(() => {});
            const limit = Math.floor(most / 1e6);
            throw new HubError(413, { detail: `The file has more than ${limit} MB, ${excess}` });
        }
        return give([]);
    }

    // MARK: What it runs on

    /// What the frame shows above its pages.
    bar(app) {
        this.retry = () => app.hub.tryNow();
        const bar = new SourceBar(app, this);
        // Where a page offers to choose a device, the browser is to be asked.
        if (this.bluetooth) this.offer = () => bar.offer();
        return bar.element;
    }

    /// Loads the page again, as soon as what was chosen is kept; not where that cannot be.
    async reload() {
        const isKept = new Promise((resolve) => this.kept = resolve);
        this.worker?.postMessage({ keep: true });
        if (await isKept) location.reload();
    }

    /// Begins anew on the air of the page ("air") or this browser's Bluetooth ("bluetooth").
    choose(source) {
        try {
            localStorage.setItem(place, source);
        } catch {
            // Where nothing may be remembered, the address says it.
            location.search = `?${source}`;
            return;
        }
        location.reload();
    }
}

/// What the pages run on: "air" or "bluetooth".
export function chosenSource() {
    if (location.search === "?bluetooth") return "bluetooth";
    try {
        return localStorage.getItem(place) === "bluetooth" ? "bluetooth" : "air";
    } catch {
        return "air";
    }
}
