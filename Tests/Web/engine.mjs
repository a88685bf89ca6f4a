// SPDX-License-Identifier: Apache-2.0
// Runs the engine in node: a digest of a minute of what it tells, and how much memory it has with nothing to store.
import { readFileSync } from "node:fs";

// What is random must come from the seed alone.
const env = { arc4random_buf: (at, count) => new Uint8Array(memory.buffer, at, count).fill(7) };
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env });
const { memory, ...engine } = instance.exports;
const wall = 1795269800000;
let now = engine.lantern_begin(7n, wall), begun = now, digest = 0xcbf29ce484222325n;

function* told() {
    for (let count; (count = engine.lantern_next()) >= 0;) {
        yield new Uint8Array(memory.buffer, engine.lantern_outbox(), count);
    }
}
function wait(seconds) {
    now += seconds * 1000;
    engine.lantern_advance(now, wall + now - begun);
}
function ask(request) {
    const octets = new TextEncoder().encode(JSON.stringify(request));
    new Uint8Array(memory.buffer, engine.lantern_inbox(octets.length), octets.length).set(octets);
    engine.lantern_request();
    let answer;
    for (const octets of told()) {
        const value = JSON.parse(new TextDecoder().decode(octets));
        if (value.answer === request.id) answer = value;
    }
    return answer;
}

for (let second = 0; second < 60; second += 1) {
    wait(1);
    for (const octets of told()) {
        for (const octet of octets) digest = BigInt.asUintN(64, (digest ^ BigInt(octet)) * 0x100000001b3n);
    }
}
console.log(`trace=${digest.toString(16)}`);

const { value: { items } } = ask({ id: 1, method: "GET", path: "/devices" });
const { id } = items.find((device) => device.kind === "flockfinder");
ask({ id: 2, method: "POST", path: `/devices/${id}/disconnect` });
const used = () => {
    wait(60);
    for (const _ of told());
    return engine.lantern_memory_used();
};
wait(120);
console.log(`sooner=${used()}`);
wait(540);
console.log(`later=${used()}`);
