// SPDX-License-Identifier: Apache-2.0

// Has an engine do what the Scanner asks of it in its first minute, and writes which functions it has called: those go into the
// part that a browser fetches at once. The engine is one that `wasm-split --instrument` has made.
//
//   node Scripts/web/first-page.mjs ENGINE PROFILE

import { readFileSync, writeFileSync } from "node:fs"

const [, , engine, profile] = process.argv
// The same each time, so that the parts are.
let state = 1n
function random(at, count) {
    const octets = new Uint8Array(exports.memory.buffer, at, count)
    for (let index = 0; index < count; index += 1) {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
        octets[index] = Number(state >> 56n)
    }
}
const { instance } = await WebAssembly.instantiate(readFileSync(engine), { env: { arc4random_buf: random } })
const { exports } = instance

let wall = Date.UTC(2026, 10, 24, 12), requests = 0
let now

function told() {
    const texts = []
    for (let count; (count = exports.lantern_next()) >= 0;) {
        texts.push(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.lantern_outbox(), count)))
    }
    return texts
}

function ask(method, path, more = {}) {
    const octets = new TextEncoder().encode(JSON.stringify({ id: ++requests, method, path, ...more }))
    new Uint8Array(exports.memory.buffer, exports.lantern_inbox(octets.length), octets.length).set(octets)
    exports.lantern_request()
    const answer = told().map((text) => JSON.parse(text)).find(({ answer }) => answer === requests)
    // Some things need a hub; to say so is a part of the first page.
    if (!answer || answer.status >= 400 && answer.status !== 501) {
        throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    }
    return answer.value
}

function pass(seconds) {
    for (const end = now + seconds * 1000; now < end;) {
        const step = 40 + requests * 97 % 960
        now += step
        wall += step
        exports.lantern_advance(now, wall)
        told()
    }
}

function look(zone) {
    ask("POST", "/zone", { body: zone })
    ask("GET", "/hub")
    ask("GET", "/settings")
    ask("GET", "/devices")
    const since = new Date(wall - 300000).toISOString()
    const { items } = ask("GET", "/detections", { filter: { since, limit: 1000 } })
    ask("GET", "/detections", { filter: { limit: 50 } })
    ask("GET", "/pairings")
    ask("GET", `/detections/${items[0].id}`)
}

const summer = [[1774746000, 7200], [1792890000, 3600]]
const zones = [
    { name: "Europe/Berlin", offset: 3600, standard_offset: 3600, changes: summer },
    { name: "UTC", offset: 0, standard_offset: 0, changes: [] },
]
// Not each neighbourhood has everything in its first minute, and lamps know day and night.
for (let seed = 1; seed <= 12; seed += 1) {
    wall += 35 * 86400000 + 2 * 3600000
    now = exports.lantern_begin(BigInt(seed) * 0x9e3779b97f4a7cn, wall)
    told()
    pass(1)
    look(zones[seed % 2])
    pass(60)
}

const size = exports.__write_profile(0, 0)
const at = exports.lantern_inbox(size)
exports.__write_profile(at, size)
writeFileSync(profile, new Uint8Array(exports.memory.buffer, at, size))
