// SPDX-License-Identifier: Apache-2.0

// The engine as this machine's own program, so that it can be held against the one in WebAssembly: the same functions are
// called (`Page.swift`), with inputs from the standard input, one a line.
//
//     begin SEED WALL          browser SEED WALL        advance NOW WALL
//     request JSON             radio JSON               restore TEXT, in which U+001E stands for a new line
//     heard ADDRESS RSSI HEX WORD …    an advertisement, of a radio that hears all; `response` or `closed` for what it is
//     quiet                    from now on nothing that it tells is printed
//     repeat COUNT INPUT       the same input so many times
//     clock                    prints the milliseconds since the program began
//     try TARGET HEX           prints what comes of an input of a fuzzer (`Trials.swift`), in hex
//
// What it tells is printed, one a line, and behind that of each input a line with a point. `Tests/Web/engine_lines.mjs`
// does the same with WebAssembly.

import BLEWire
import Companion
import LanternEngine

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

private let began = ContinuousClock.now
private var isQuiet = false

@MainActor private func give(_ text: Substring) {
    let octets = text.utf8.map { $0 == 0x1E ? 0x0A : $0 }
    unsafe put(octets, at: lanternInbox(Int32(octets.count)))
}

private func put(_ octets: [UInt8], at place: UnsafeMutablePointer<UInt8>?) {
    guard let place = unsafe place else { return }
    for index in octets.indices { unsafe place[index] = octets[index] }
}

@MainActor private func drain() {
    while true {
        let count = lanternNext()
        guard count >= 0 else { return }
        guard !isQuiet, let outbox = unsafe lanternOutbox() else { continue }
        print(
            unsafe String(decoding: UnsafeBufferPointer(start: outbox, count: Int(count)), as: UTF8.self))
    }
}

@MainActor private func attempt(_ text: Substring) {
    let words = text.split(separator: " ")
    guard let name = words.first, let input = [UInt8](hexadecimal: words.dropFirst().first ?? "") else {
        return print("a target and hex digits are missing")
    }
    let octets = Array(name.utf8) + [0] + input
    unsafe put(octets, at: trialInbox(Int32(octets.count)))
    let count = trialRun()
    guard count >= 0, let outbox = unsafe trialOutbox() else { return print("failed \(count)") }
    print(unsafe UnsafeBufferPointer(start: outbox, count: Int(count)).hexadecimal)
}

/// Reads what a radio has heard; without a kind, an address is a random one.
private func report(_ text: Substring) -> AdvertisementReport? {
    let words = text.split(separator: " ")
    guard words.count >= 3, let peer = DeviceAddress(String(words[0]))?.candidates.first,
        let octets = [UInt8](hexadecimal: words[2])
    else { return nil }
    return AdvertisementReport(
        peer: peer, octets: octets, isScanResponse: words.contains("response"),
        isConnectable: words.contains("response") ? nil : !words.contains("closed"), rssi: Int8(words[1]),
        txPower: nil)
}

@MainActor private func perform(_ line: Substring) {
    let word = line.prefix { $0 != " " }
    let rest = line.dropFirst(word.count + 1)
    switch word {
    case "begin", "browser", "advance":
        let numbers = rest.split(separator: " ").map { Double($0) ?? 0 }
        guard numbers.count == 2 else { return print("two numbers are missing") }
        if word == "begin" { _ = lanternBegin(Int64(numbers[0]), numbers[1]) }
        if word == "browser" { _ = lanternBeginBrowser(Int64(numbers[0]), numbers[1]) }
        if word == "advance" { _ = lanternAdvance(numbers[0], numbers[1]) }
    case "request":
        give(rest)
        lanternRequest()
    case "radio":
        give(rest)
        lanternRadio()
    case "heard":
        guard let report = report(rest) else { return print("an address, a strength and octets are missing") }
        unsafe engine?.hear(report)
    case "restore":
        give(rest)
        lanternRestore()
    case "repeat":
        let count = rest.prefix { $0 != " " }
        for _ in 0..<(Int(count) ?? 0) { perform(rest.dropFirst(count.count + 1)) }
    case "try": attempt(rest)
    case "quiet": isQuiet = true
    case "clock": print((ContinuousClock.now - began) / .milliseconds(1))
    default: print("nobody knows \(word)")
    }
    drain()
}

while let line = readLine() {
    perform(line[...])
    print(".")
    fflush(nil)
}
