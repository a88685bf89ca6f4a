// SPDX-License-Identifier: Apache-2.0

// What Scripts/check-embedded links for WebAssembly and calls from node: the layers that a page has, in one function.

import Companion
import CompanionText
import FlockFinder

private struct Box {
    var octets = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    mutating func resize(to count: Int) {
        unsafe octets.deallocate()
        unsafe octets = .allocate(capacity: count)
        unsafe octets.initialize(repeating: 0)
    }
}

// A page has one thread.
nonisolated(unsafe) private var inbox = Box()
nonisolated(unsafe) private var outbox = Box()

/// Makes room for `count` octets and says where the page shall put them.
@_cdecl("check_inbox")
public func checkInbox(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    unsafe inbox.resize(to: Int(count))
    return unsafe inbox.octets.baseAddress
}

/// Reads what lies in the inbox as a detection, and puts its event and its sentence into the outbox, a line each.
///
/// - Returns: How many octets lie there; -1 when it is no detection.
@_cdecl("check_detection")
public func checkDetection() -> Int32 {
    do throws(DetectionError) {
        let detection = try Detection(decoding: unsafe Array(inbox.octets))
        let sighting = Sighting(detection, received: Timestamp(milliseconds: 1_795_269_812_123))
        let event = DetectionEvent(unstored: sighting)
        let text = event.json + [0x0A] + Array(event.line.text.utf8)
        unsafe outbox.resize(to: text.count)
        for index in text.indices { unsafe outbox.octets[index] = text[index] }
        return Int32(text.count)
    } catch {
        return -1
    }
}

/// Where the outbox is.
@_cdecl("check_outbox")
public func checkOutbox() -> UnsafeMutablePointer<UInt8>? { unsafe outbox.octets.baseAddress }
