// SPDX-License-Identifier: Apache-2.0
// Runs the engine in node: a digest of a minute of what it tells, how much memory it has with nothing to store, and whether
// a password that was sent to a device lies about in it afterwards.
import { readFileSync } from "node:fs";

const [, , site] = process.argv;
const { instantiate } = await import(`${site}/engine-parts.js`);
// What is random must come from the seed alone.
const env = { arc4random_buf: (at, count) => new Uint8Array(memory.buffer, at, count).fill(7) };
const rest = () => readFileSync(`${site}/engine-rest.wasm`);
const { memory, ...engine } = await instantiate(readFileSync(`${site}/engine.wasm`), env, rest);
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
    const place = engine.lantern_inbox(octets.length);
    new Uint8Array(memory.buffer, place, octets.length).set(octets);
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
// A drive that goes on grows, too: the page stands still.
const place = { source: "fixed", latitude: 52.5, longitude: 13.4 };
ask({ id: 6, method: "PATCH", path: "/settings", body: { location: place }, if_match: "*" });
const used = () => {
    wait(60);
    for (const _ of told());
    return engine.lantern_memory_used();
};
wait(120);
console.log(`sooner=${used()}`);
wait(540);
console.log(`later=${used()}`);

// A password of a device's Wi-Fi, and what is left of it when it was tried.
const password = "quartz-heron-59";
const station = items.find((device) => device.kind === "wifiset").id;
const { value: { job: { id: job } } } = ask({ id: 3, method: "POST", path: `/devices/${station}/wifi` });
const setup = () => {
    wait(2);
    for (const _ of told());
    return ask({ id: 4, method: "GET", path: `/wifi/${job}` }).value;
};
let found;
for (let turn = 0; turn < 20 && !(found = setup()).networks.length; turn += 1);
const network = found.networks.find((one) => one.security === "wpa2");
const { status } = ask({
    id: 5,
    method: "POST",
    path: `/wifi/${job}/credentials`,
    body: { ssid_octets: network.ssid_octets, security: network.security, password },
});
const lies = () => Buffer.from(memory.buffer).indexOf(password) >= 0;
const during = lies();
for (let turn = 0; turn < 60; turn += 1) {
    found = setup();
    if (["joined", "failed"].includes(found.setup.attempt.step)) break;
}
console.log(`sent=${status}`);
console.log(`step=${found.setup.attempt.step}`);
console.log(`during=${during}`);
console.log(`afterwards=${lies()}`);
