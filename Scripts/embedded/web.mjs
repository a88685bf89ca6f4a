// SPDX-License-Identifier: Apache-2.0

// Calls what Scripts/check-embedded has linked for WebAssembly, as a page would.

import { readFileSync } from "node:fs"

const env = { arc4random_buf: (at, count) => crypto.getRandomValues(new Uint8Array(memory.buffer, at, count)) }
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env })
const { memory, check_inbox, check_detection, check_outbox } = instance.exports

function detect(text) {
    const octets = new TextEncoder().encode(text)
    new Uint8Array(memory.buffer, check_inbox(octets.length), octets.length).set(octets)
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
if (sentence !== "Ring, close, -61 dBm, 12 %: Café 📷") faults.push(`the sentence ${sentence}`)
if (detect("{") !== null) faults.push("what is no detection")
if (faults.length) {
    console.error(`${json}\nwrong: ${faults.join(", ")}`)
    process.exit(1)
}
