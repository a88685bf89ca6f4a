// SPDX-License-Identifier: Apache-2.0

// What fuzzers try, in WebAssembly: a module for tests alone, of the same Core, Kits, Companion and virtual air as the engine.
// `Scripts/build-web` makes it beside the site, and `lantern-engine` does the same natively.

import FuzzTargets
import Fuzzing

// There is one thread.
nonisolated(unsafe) private var inbox = Box()
nonisolated(unsafe) private var outbox = Box()

/// Makes room for `count` octets and says where the caller shall put them.
@_cdecl("trial_inbox")
public func trialInbox(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    unsafe inbox.resize(to: Int(count))
    return unsafe inbox.place
}

/// Tries what lies in the inbox, which is a target's name, a zero, and an input; puts what came of it into the outbox.
///
/// - Returns: How many octets lie there; -1 when there is no such target, -2 when a promise was broken, which then lies there.
@_cdecl("trial_run")
public func trialRun() -> Int32 {
    let octets = unsafe inbox.contents
    let end = octets.firstIndex(of: 0) ?? octets.endIndex
    let name = String(decoding: octets[..<end], as: UTF8.self)
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return -1 }
    let trace = FuzzTrace()
    do throws(Broken) {
        try target.run(Array(octets[end...].dropFirst()), trace)
        return unsafe outbox.fill(with: trace.octets)
    } catch {
        _ = unsafe outbox.fill(with: Array(error.promise.utf8))
        return -2
    }
}

/// Where the outbox is.
@_cdecl("trial_outbox")
public func trialOutbox() -> UnsafeMutablePointer<UInt8>? { unsafe outbox.place }
