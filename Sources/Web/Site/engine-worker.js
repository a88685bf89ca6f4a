// SPDX-License-Identifier: Apache-2.0
// Runs the engine beside the page: gives it time, random octets and requests, and takes what it tells.

// Nobody sees what happens faster; a page that sleeps does not have the air go on without it.
const shortest = 40, longest = 1000, leap = 2000;
const octetsOf = new TextEncoder(), textOf = new TextDecoder();
let exports, engineTime, lastStep, timer;

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
        postMessage({ trouble: `${error}` });
    }
}

function tell() {
    const told = [];
    for (let count; (count = exports.lantern_next()) >= 0;) {
        told.push(textOf.decode(new Uint8Array(exports.memory.buffer, exports.lantern_outbox(), count)));
    }
    return told;
}

function step() {
    clearTimeout(timer);
    const now = performance.now();
    engineTime += Math.min(leap, now - lastStep);
    lastStep = now;
    const next = exports.lantern_advance(engineTime, Date.now());
    // Also when there is nothing: the page sees that the engine works.
    postMessage({ told: tell() });
    timer = setTimeout(() => guarded(step), Math.min(longest, Math.max(shortest, next - engineTime)));
}

function request(text) {
    const octets = octetsOf.encode(text);
    give(octets);
    exports.lantern_request();
    octets.fill(0);
    step();
}

/// Lays octets where the engine finds them.
function give(octets) {
    new Uint8Array(exports.memory.buffer, exports.lantern_inbox(octets.length), octets.length).set(octets);
}

/// Brings the names of assigned numbers, which the first page shows nothing of.
async function bringNames() {
    const answer = await fetch(new URL("names.txt", import.meta.url));
    const octets = new Uint8Array(await answer.arrayBuffer());
    if (!exports) return;
    give(octets);
    exports.lantern_names();
}

/// What shows these names.
const naming = /"path":"\/(scan|explorers|devices\/\d+\/explorer)/;
let names;

async function begin() {
    const answer = await fetch(new URL("engine.wasm", import.meta.url));
    const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), { env });
    exports = instance.exports;
    const [seed] = crypto.getRandomValues(new BigInt64Array(1));
    engineTime = exports.lantern_begin(seed, Date.now());
    lastStep = performance.now();
    // What has happened before the page is there is in its lists.
    tell();
    step();
}

const ready = begin().catch((error) => postMessage({ trouble: `${error}` }));
addEventListener("message", async ({ data }) => {
    await ready;
    // Without them numbers are shown: no reason not to answer.
    if (naming.test(data)) await (names ??= bringNames().catch(() => (names = null)));
    if (exports) guarded(() => request(data));
});
