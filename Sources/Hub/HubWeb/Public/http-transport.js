// SPDX-License-Identifier: Apache-2.0
// The way to a hub over HTTP. What else can stand in its place has `ahead`, `words`, `lacks`, `request`, `follow`, `file` and
// `reload`, and may have `bar`, `offer` and `forgets` (whether what is chosen is gone when the page is loaded again).
import { forget, keepPages, recall, remember } from "./hub-kept.js";
import { queryText } from "./query.js";

const base = "/api/v1";

/// What the hub or the way to it refuses, in words for a person.
export class HubError extends Error {
    constructor(status, problem = {}) {
        super(problem.detail || problem.title || "It was refused, and no reason was given.");
        this.status = status;
        this.type = problem.type;
        this.retryAfter = problem.retry_after;
    }
}

export class HTTPTransport {
    remember = remember;
    recall = recall;
    forget = forget;

    constructor() {
        keepPages();
        // How far the hub's clock is before the browser's, in milliseconds.
        this.ahead = 0;
        // What cannot be done over it, and why.
        this.lacks = {};
        // What is said of it, most of it while it does not answer.
        this.words = {
            who: "Hub",
            here: "this hub",
            meanwhile: "while the hub is away",
            asking: "Asking the hub what it knows.",
            away: "The hub is not answering",
            broken: "The hub does not work",
            check: "Check that it is running: lantern hub. This page goes on by itself when it is back.",
            finder: "Switch the FlockFinder on and keep it near. The hub connects to it by itself.",
            leaflet: [
                "It draws the map, and the hub takes it from this machine. Install it, then load this page again.",
                "sudo apt-get install libjs-leaflet",
            ],
            ground: "Nothing leaves this machine. Start the hub with --map-file for a map without a server.",
            demo: ["On the hub, type ", "lantern demo", " to see it with simulated devices."],
        };
    }

    async request(method, path, { body, filter, headers = {}, raw, keepalive } = {}) {
        let answer;
        try {
            answer = await fetch(base + path + queryText(filter), {
                method,
                keepalive,
                cache: "no-store",
                credentials: "same-origin",
                headers: {
                    Accept: "application/json",
                    ...(body && !raw ? { "Content-Type": "application/json" } : {}),
                    ...headers,
                },
                body: raw ? body : body && JSON.stringify(body),
            });
        } catch {
            throw new HubError(0, { detail: "The hub is not answering." });
        }
        // Whole seconds, and old when the way is slow: a small difference is none.
        const ahead = Date.parse(answer.headers.get("Date")) - Date.now();
        this.ahead = Math.abs(ahead) > 10000 ? ahead : 0;
        const text = answer.status === 204 ? "" : await answer.text();
        let value = null;
        try {
            value = text ? JSON.parse(text) : null;
        } catch {
            throw new HubError(answer.status, {
                detail:
                    "The hub sent something that this page cannot read. Update the hub, then load this page again.",
            });
        }
        if (!answer.ok) throw new HubError(answer.status, value ?? {});
        const tag = answer.headers.get("ETag");
        return tag && value ? Object.defineProperty(value, "etag", { value: tag }) : value;
    }

    /// Gives `take` each event behind a number, until the stream ends or `signal` says that it shall.
    async follow(lastId, signal, { opened, alive, take }) {
        const answer = await fetch(base + "/events", {
            signal,
            cache: "no-store",
            credentials: "same-origin",
            headers: {
                Accept: "text/event-stream",
                ...(lastId === null ? {} : { "Last-Event-ID": String(lastId) }),
            },
        });
        if (!answer.ok) throw new HubError(answer.status);
        opened();
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let held = "";
        for (;;) {
            const { value, done } = await reader.read();
            if (done) return;
            alive();
            const blocks = (held + value).split(/\r?\n\r?\n/);
            held = blocks.pop();
            for (const block of blocks) {
                const event = eventOf(block);
                if (event) await take(...event);
            }
        }
    }

    /// Takes a file of detections; the answer is how many were new, known and refused.
    importFile(file) {
        return this.request("POST", "/imports/detections", {
            body: file,
            raw: true,
            headers: { "Content-Type": "application/octet-stream" },
        });
    }

    /// Loads the page again.
    reload() {
        location.reload();
    }

    /// What a link to a file has.
    file(path, filter) {
        return { href: base + path + queryText(filter), download: "" };
    }
}

/// The name, the value and the number of an event; null for what is none.
function eventOf(block) {
    const data = [];
    let name = "message", id;
    for (const line of block.split(/\r?\n/)) {
        if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
        else if (line.startsWith("event:")) name = line.slice(6).trim();
        else if (line.startsWith("id:")) id = line.slice(3).trim();
    }
    if (!data.length) return null;
    try {
        return [name, JSON.parse(data.join("\n")), id];
    } catch {
        return null;
    }
}

export const makeTransport = () => new HTTPTransport();
