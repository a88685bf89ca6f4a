// SPDX-License-Identifier: Apache-2.0

// What a page calls: octets in, octets out. The page owns the time, and brings random octets as `arc4random_buf`.

import BLEWire
import Companion
import LanternEngine

#if hasFeature(Embedded)
import BLEAssignedNumbers
#endif

// A page has one thread.
nonisolated(unsafe) private var inbox = Box()
nonisolated(unsafe) private var outbox = Box()
nonisolated(unsafe) var engine: Engine?

/// Makes room for `count` octets and says where the page shall put them.
@_cdecl("lantern_inbox")
public func lanternInbox(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    unsafe inbox.resize(to: Int(count))
    return unsafe inbox.place
}

/// Begins, with an air that has gone on for a while.
///
/// - Parameters:
///   - seed: What everything that is invented depends on.
///   - wall: The time, in milliseconds since 1970.
/// - Returns: The moment of the engine's clock, in milliseconds.
@_cdecl("lantern_begin")
public func lanternBegin(_ seed: Int64, _ wall: Double) -> Double {
    let now = HostInstant.zero.advanced(bySeconds: Engine.lead)
    let begin = Timestamp(milliseconds: Int64(wall) - Int64(Engine.lead) * 1000)
    let new = Engine(seed: UInt64(bitPattern: seed), at: .zero, wall: begin)
    new.advance(to: now, wall: Timestamp(milliseconds: Int64(wall)))
    unsafe engine = new
    return Double(now.microseconds) / 1000
}

/// Begins with the Bluetooth of the browser, of which the page brings what it says to ``lanternRadio()``.
///
/// - Parameters:
///   - seed: What waiting times and keys come from.
///   - wall: The time, in milliseconds since 1970.
/// - Returns: The moment of the engine's clock, in milliseconds.
@_cdecl("lantern_begin_browser")
public func lanternBeginBrowser(_ seed: Int64, _ wall: Double) -> Double {
    unsafe engine = Engine(
        inBrowserWithSeed: UInt64(bitPattern: seed), at: .zero, wall: Timestamp(milliseconds: Int64(wall)))
    return 0
}

/// Takes what lies in the inbox as something that the browser's Bluetooth tells.
@_cdecl("lantern_radio")
public func lanternRadio() {
    let octets = takeInbox()
    unsafe engine?.receiveFromBrowser(octets)
}

/// Takes what lies in the inbox as rows that the page has kept.
@_cdecl("lantern_restore")
public func lanternRestore() {
    let octets = takeInbox()
    unsafe engine?.restore(octets)
}

private func takeInbox() -> [UInt8] {
    let octets = unsafe inbox.contents
    unsafe inbox.empty()
    return octets
}

/// Lets time go by.
///
/// - Parameters:
///   - now: Up to when by the engine's clock, in milliseconds.
///   - wall: The time, in milliseconds since 1970.
/// - Returns: When to call this again at the latest, by the engine's clock, in milliseconds.
@_cdecl("lantern_advance")
public func lanternAdvance(_ now: Double, _ wall: Double) -> Double {
    guard let engine = unsafe engine else { return -1 }
    engine.advance(
        to: HostInstant(microseconds: UInt64(max(0, now) * 1000)), wall: Timestamp(milliseconds: Int64(wall)))
    return Double(engine.nextDeadline.microseconds) / 1000
}

#if hasFeature(Embedded)
/// Takes what lies in the inbox as the text of assigned numbers.
///
/// - Returns: How many octets lie in the outbox that say what is wrong with it; -1 when it was taken.
@_cdecl("lantern_names")
public func lanternNames() -> Int32 {
    do throws(AssignedNumbersError) {
        try AssignedNumbers.load(takeInbox())
        unsafe outbox.empty()
        return -1
    } catch {
        return unsafe outbox.fill(with: Array(error.description.utf8))
    }
}
#endif

/// Takes what lies in the inbox as a request, and forgets it there.
@_cdecl("lantern_request")
public func lanternRequest() {
    let octets = takeInbox()
    unsafe engine?.request(octets)
}

/// Puts the next thing for the page into the outbox.
///
/// - Returns: How many octets lie there; -1 when there is nothing.
@_cdecl("lantern_next")
public func lanternNext() -> Int32 {
    guard let octets = unsafe engine?.nextOutput() else {
        unsafe outbox.empty()
        return -1
    }
    return unsafe outbox.fill(with: octets)
}

/// Where the outbox is.
@_cdecl("lantern_outbox")
public func lanternOutbox() -> UnsafeMutablePointer<UInt8>? { unsafe outbox.place }
