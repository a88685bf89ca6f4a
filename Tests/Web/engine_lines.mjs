// SPDX-License-Identifier: Apache-2.0
// The engine in WebAssembly with inputs from the standard input, as `Sources/Web/lantern-engine/Native/main.swift` has them; `memory`
// prints the octets that it has. The argument is the folder of the site; what `try` runs lies beside that.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , site] = process.argv;
const { instantiate } = await import(`${site}/engine-parts.js`);
// What is random must come from the seed alone.
const env = { arc4random_buf: (at, count) => new Uint8Array(memory.buffer, at, count).fill(7) };
const rest = () => readFileSync(`${site}/engine-rest.wasm`);
const { memory, ...engine } = await instantiate(readFileSync(`${site}/engine.wasm`), env, rest);
const octetsOf = new TextEncoder(), textOf = new TextDecoder();
let isQuiet = false, said = [];

function give(text) {
    const octets = octetsOf.encode(text.replaceAll("\u001e", "\n"));
    // Room is made first: memory that grows is another buffer.
    const place = engine.lantern_inbox(octets.length);
    new Uint8Array(memory.buffer, place, octets.length).set(octets);
}

const outbox = (count) => textOf.decode(new Uint8Array(memory.buffer, engine.lantern_outbox(), count));

function drain() {
    for (let count; (count = engine.lantern_next()) >= 0;) {
        if (isQuiet) continue;
        said.push(outbox(count));
    }
}

/// What is wrong with a text of assigned numbers, as the engine says it; nothing where it has taken it.
function names(text) {
    give(text);
    const count = engine.lantern_names();
    return count < 0 ? "" : outbox(count);
}

let trials;
function attempt(rest) {
    const env = { arc4random_buf: () => {} };
    trials ??=
        new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${site}/../trials.wasm`)), { env })
            .exports;
    const [name, hex = ""] = rest.split(" ");
    const octets = Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(hex, "hex")]);
    const place = trials.trial_inbox(octets.length);
    new Uint8Array(trials.memory.buffer, place, octets.length).set(octets);
    const count = trials.trial_run();
    if (count < 0) said.push(`failed ${count}`);
    else said.push(Buffer.from(trials.memory.buffer, trials.trial_outbox(), count).toString("hex"));
}

const numbers = (rest) => rest.split(" ").map(Number);
const works = {
    begin: (rest) => engine.lantern_begin(BigInt(rest.split(" ")[0]), numbers(rest)[1]),
    browser: (rest) => engine.lantern_begin_browser(BigInt(rest.split(" ")[0]), numbers(rest)[1]),
    advance: (rest) => engine.lantern_advance(...numbers(rest)),
    request: (rest) => (give(rest), engine.lantern_request()),
    radio: (rest) => (give(rest), engine.lantern_radio()),
    restore: (rest) => (give(rest), engine.lantern_restore()),
    names: (rest) => said.push(names(rest) || "taken"),
    try: attempt,
    quiet: () => isQuiet = true,
    clock: () => said.push(performance.now()),
    memory: () => said.push(`${engine.lantern_memory_used()} ${memory.buffer.byteLength}`),
};

const wrong = names(readFileSync(`${site}/assigned-numbers.txt`, "utf8"));
if (wrong) throw new Error(wrong);

function perform(line) {
    const word = line.split(" ", 1)[0], rest = line.slice(word.length + 1);
    if (word === "repeat") {
        const input = rest.slice(rest.indexOf(" ") + 1);
        for (let count = parseInt(rest); count > 0; count -= 1) perform(input);
    } else if (works[word]) works[word](rest);
    else said.push(`nobody knows ${word}`);
    drain();
}

for await (const line of createInterface({ input: process.stdin })) {
    perform(line);
    process.stdout.write(`${[...said, "."].join("\n")}\n`);
    said = [];
}
