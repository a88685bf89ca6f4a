// SPDX-License-Identifier: Apache-2.0
// Runs the engine beside the page: gives it time, random octets, requests and what the page's Bluetooth tells, takes what it
// tells, and keeps what is to be kept. The name of the worker says what it runs on.
import { instantiate } from "./engine-parts.js";
import { EngineStore } from "./engine-store.js";

// Nobody sees what happens faster; a page that sleeps does not have the air go on without it.
const shortest = 40, longest = 1000, leap = 2000;
const octetsOf = new TextEncoder(), textOf = new TextDecoder();
const isBluetooth = self.name === "bluetooth";
let exports, engineTime, lastStep, timer, store;

const env = {
    arc4random_buf(at, count) {
        // No more than 65,536 octets come at once.
        for (let done = 0; done < count; done += 65536) {
            const some = new Uint8Array(exports.memory.buffer, at + done, Math.min(65536, count - done));
            crypto.getRandomValues(some);
        }
    },
};

/// Does something with the engine; after a fault it is of no use any more, and says so.
function guarded(work) {
    try {
        work();
    } catch (error) {
        clearTimeout(timer);
        exports = null;
        tellTrouble(error);
    }
}

/// Where it was, too, which a report has.
const tellTrouble = (error) => postMessage({ trouble: `${error}`, where: error?.stack });

const outbox = (count) =>
    textOf.decode(new Uint8Array(exports.memory.buffer, exports.lantern_outbox(), count));

function tell() {
    const told = [];
    for (let count; (count = exports.lantern_next()) >= 0;) {
        const text = outbox(count);
        if (text.startsWith('{"keep":')) store?.keep(JSON.parse(text));
        else told.push(text);
    }
    return told;
}

function step() {
    clearTimeout(timer);
    const now = performance.now();
    // The air of the page stands still while the page sleeps; a real one does not.
    engineTime += isBluetooth ? now - lastStep : Math.min(leap, now - lastStep);
    lastStep = now;
    const next = exports.lantern_advance(engineTime, Date.now());
    // Also when there is nothing: the page sees that the engine works.
    postMessage({ told: tell() });
    timer = setTimeout(() => guarded(step), Math.min(longest, Math.max(shortest, next - engineTime)));
}

/// Lays octets, or a text, where the engine finds them, and has it take them; gives what it answers.
function give(value, take) {
    const octets = typeof value === "string" ? octetsOf.encode(value) : value;
    // Room is made first: memory that grows is another buffer.
    const place = exports.lantern_inbox(octets.length);
    new Uint8Array(exports.memory.buffer, place, octets.length).set(octets);
    const answer = take();
    octets.fill(0);
    return answer;
}

/// Brings the names of assigned numbers, which the first page shows nothing of.
async function bringNames() {
    const answer = await fetch(new URL("assigned-numbers.txt", import.meta.url));
    const octets = new Uint8Array(await answer.arrayBuffer());
    if (!exports) return;
    const count = give(octets, exports.lantern_names);
    if (count >= 0) console.warn(`Numbers have no names: ${outbox(count)}.`);
}

/// What shows these names.
const naming = /"path":"\/(scan|explorers|devices\/\d+\/explorer)/;
let names;

/// The second part of the engine. Nothing else goes on in this worker meanwhile.
function bringRest() {
    const request = new XMLHttpRequest();
    request.open("GET", new URL("engine-rest.wasm", import.meta.url), false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) {
        throw new Error("A part of the engine could not be fetched: is the network there?");
    }
    return request.response;
}

async function begin() {
    const answer = await fetch(new URL("engine.wasm", import.meta.url));
    exports = await instantiate(await answer.arrayBuffer(), env, bringRest);
    const [seed] = crypto.getRandomValues(new BigInt64Array(1));
    engineTime = (isBluetooth ? exports.lantern_begin_browser : exports.lantern_begin)(seed, Date.now());
    lastStep = performance.now();
    if (isBluetooth) {
        store = new EngineStore((trouble) => {
            const request = JSON.stringify({ id: -1, method: "PUT", path: "/storage", body: { trouble } });
            if (exports) guarded(() => give(request, exports.lantern_request));
        });
        await store.open((text) => give(text, exports.lantern_restore));
    } else {
        // What has happened before the page is there is in its lists.
        tell();
    }
    step();
}

/// Begins once no other page of this browser runs an engine on the same devices and the same storage.
async function beginAlone() {
    if (!isBluetooth || !navigator.locks) return begin();
    try {
        await navigator.locks.request("lantern", { ifAvailable: true }, (lock) => {
            if (!lock) postMessage({ isSecond: true });
        });
    } catch {
        // A browser that keeps nothing for this page has no locks either: nothing is shared then.
        return begin();
    }
    return new Promise((ready, failed) => {
        navigator.locks.request("lantern", () => {
            postMessage({ isSecond: false });
            begin().then(ready, failed);
            // Held until the worker ends.
            return new Promise(() => {});
        });
    });
}

const ready = beginAlone().catch(tellTrouble);
addEventListener("message", async ({ data }) => {
    await ready;
    if (data.keep) return postMessage({ kept: await (store?.settled() ?? true) });
    // Without them numbers are shown: no reason not to answer.
    if (naming.test(data)) await (names ??= bringNames().catch(() => (names = null)));
    if (!exports) return;
    guarded(() => {
        if (data.radio) { for (const text of data.radio) give(text, exports.lantern_radio); }
        else give(data, exports.lantern_request);
        step();
    });
});
