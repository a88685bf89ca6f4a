// SPDX-License-Identifier: Apache-2.0

// What fuzzers try, in WebAssembly: a module for tests alone, of the same Core, Kits, Companion and virtual air as the engine.
// `Scripts/build-web` makes it beside the site, and `lantern-engine` does the same natively.

import FuzzTargets

// There is one thread.
nonisolated(unsafe) private var inbox = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var outbox = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

/// Makes room for `count` octets and says where the caller shall put them.
@_cdecl("trial_inbox")
public func trialInbox(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    unsafe inbox.deallocate()
    unsafe inbox = .allocate(capacity: Int(count))
    unsafe inbox.initialize(repeating: 0)
    return unsafe inbox.baseAddress
}

/// Tries what lies in the inbox, which is a target's name, a zero, and an input; puts what came of it into the outbox.
///
/// - Returns: How many octets lie there; -1 when there is no such target, -2 when a promise was broken, which then lies there.
@_cdecl("trial_run")
public func trialRun() -> Int32 {
    let octets = unsafe Array(inbox)
    let end = octets.firstIndex(of: 0) ?? octets.endIndex
    let name = String(decoding: octets[..<end], as: UTF8.self)
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return -1 }
    let trace = FuzzTrace()
    do throws(Broken) {
        try target.run(Array(octets[end...].dropFirst()), trace)
        return Int32(fill(trace.octets))
    } catch {
        _ = fill(Array(error.promise.utf8))
        return -2
    }
}

private func fill(_ octets: [UInt8]) -> Int {
    unsafe outbox.deallocate()
    unsafe outbox = .allocate(capacity: octets.count)
    _ = unsafe outbox.initialize(from: octets)
    return octets.count
}

/// Where the outbox is.
@_cdecl("trial_outbox")
public func trialOutbox() -> UnsafeMutablePointer<UInt8>? { unsafe outbox.baseAddress }
