// SPDX-License-Identifier: Apache-2.0
// What answers the pages where there is no hub: the engine, in a worker of its own. It has what the way to a hub has.
import { HubError } from "./hub-way.js";

const fault =
    "The engine of this page had to begin anew. What it had heard is gone; it begins to listen again.";

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

export class EngineWay {
    constructor() {
        // The engine has the clock of this browser.
        this.ahead = 0;
        this.words = {
            asking: "Starting.",
            away: "The engine of this page has stopped",
            broken: "The engine of this page does not work",
            check: "It begins anew by itself. If it does not, load the page again.",
        };
        this.waiting = new Map();
        this.lastRequest = 0;
        this.begin();
        // Makes the page work without a network from now on.
        navigator.serviceWorker?.register("worker.js").catch(() => {});
    }

    begin() {
        this.trouble = null;
        this.worker = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.stop(event.message);
        // Lamps are told what time it is where this page is.
        this.request("POST", "/zone", { body: zone() }).catch(() => {});
    }

    /// Ends an engine that is of no use any more; the next request begins another one.
    stop(reason) {
        this.worker?.terminate();
        this.worker = null;
        this.trouble = reason;
        console.error(`The engine has stopped: ${reason}`);
        for (const { failed } of this.waiting.values()) failed(new HubError(0, { detail: fault }));
        this.waiting.clear();
        this.ended?.();
    }

    receive(message) {
        if (message.trouble) return this.stop(message.trouble);
        this.alive?.();
        for (const text of message.told ?? []) {
            const value = JSON.parse(text);
            if ("answer" in value) this.answered(value);
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

    request(method, path, { body, filter, headers = {}, raw } = {}) {
        if (raw) return Promise.reject(new HubError(501, { detail: "Files need a hub: here no hub runs." }));
        if (!this.worker) this.begin();
        this.lastRequest += 1;
        const id = this.lastRequest;
        const text = JSON.stringify({ id, method, path, filter, body, if_match: headers["If-Match"] });
        return new Promise((done, failed) => {
            this.waiting.set(id, { done, failed });
            this.worker.postMessage(text);
        });
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

    /// Files need a hub; this page says so.
    address() {
        return "needs-a-hub.html";
    }
}
