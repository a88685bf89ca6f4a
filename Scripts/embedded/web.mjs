// SPDX-License-Identifier: Apache-2.0

// Calls what Scripts/check-embedded has linked for WebAssembly, as a page would.

import { readFileSync } from "node:fs"

const env = { arc4random_buf: (at, count) => crypto.getRandomValues(new Uint8Array(memory.buffer, at, count)) }
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env })
const { memory, check_inbox, check_detection, check_outbox, check_air } = instance.exports

function detect(text) {
    const octets = new TextEncoder().encode(text)
    const place = check_inbox(octets.length)
    new Uint8Array(memory.buffer, place, octets.length).set(octets)
    const count = check_detection()
    return count < 0 ? null : new TextDecoder().decode(new Uint8Array(memory.buffer, check_outbox(), count))
}

const sent = { type: "Ring", ssid: "Café 📷", rssi: -61, confidence: 0.123456789, ts: 4821, fw: { a: [1, 2] } }
const [json, sentence] = detect(JSON.stringify(sent)).split("\n")
const event = JSON.parse(json)
const wanted = {
    event: "detection", time: "2026-11-21T14:03:32.123Z", type: "ring", ssid: sent.ssid, rssi: -61, confidence: 0.123456789,
    proximity: "close", device_uptime_ms: 4821, address: null,
}
const faults = Object.keys(wanted).filter((key) => event[key] !== wanted[key])
if (JSON.stringify(event.extra) !== '{"fw":{"a":[1,2]}}') faults.push("extra")
if (sentence !== "Ring, close, -61 dBm, 12%: Café 📷") faults.push(`the sentence ${sentence}`)
if (detect("{") !== null) faults.push("what is no detection")

// Two controllers of a virtual air, both reset; one advertises every 20 ms, the other scans for a second.
function air(controller, milliseconds, ...octets) {
    const place = check_inbox(octets.length)
    new Uint8Array(memory.buffer, place, octets.length).set(octets)
    const count = check_air(controller, milliseconds)
    return [...new Uint8Array(memory.buffer, check_outbox(), count)].map((octet) => octet.toString(16).padStart(2, "0")).join("")
}
for (const controller of [0, 1]) {
    if (air(controller, 0, 1, 0x03, 0x0c, 0) !== "040e0401030c00") faults.push("the answer to a reset")
}
// Event masks as a host sets them: LE meta events, and advertising reports of the legacy kind.
air(1, 0, 1, 0x01, 0x0c, 8, 255, 255, 255, 255, 255, 255, 255, 0x3f)
air(1, 0, 1, 0x01, 0x20, 8, 255, 255, 255, 255, 255, 255, 255, 255)
air(0, 0, 1, 0x06, 0x20, 15, 0x20, 0, 0x20, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0)
air(0, 0, 1, 0x08, 0x20, 32, 3, 2, 1, 6, ...new Array(28).fill(0))
if (air(0, 0, 1, 0x0a, 0x20, 1, 1) !== "040e04010a2000") faults.push("the answer to advertising")
air(1, 0, 1, 0x0b, 0x20, 7, 0, 0x10, 0, 0x10, 0, 0, 0)
const heard = air(1, 1000, 1, 0x0c, 0x20, 2, 1, 1)
// One report as duplicates are filtered: not connectable, from 00:00:00:00:00:01, three octets.
if (!/^040e04010c2000043e0f0201030001000000000003020106[c-f].$/.test(heard)) faults.push(`what was heard, ${heard}`)
if (faults.length) {
    console.error(`${json}\nwrong: ${faults.join(", ")}`)
    process.exit(1)
}
