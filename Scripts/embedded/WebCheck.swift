// SPDX-License-Identifier: Apache-2.0

// What Scripts/check-embedded links for WebAssembly and calls from node: the layers that a page has, in one function, and a virtual air.

import BLESimulation
import BLEWire
import Companion
import CompanionText
import Detections
import FlockFinder
import FlockFinderCompanion

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

private struct Air {
    let world = SimulatedWorld()
    let ids: [VirtualAir.ControllerID]
    var now = HostInstant.zero

    init() {
        let world = world
        ids = (1...2).map { number in
            world.addController(
                VirtualAir.ControllerConfiguration(address: BluetoothAddress(UInt64(number), kind: .public)))
        }
    }
}

nonisolated(unsafe) private var air: Air?

/// Gives what lies in the inbox to one of the two controllers of a virtual air, lets time go by, and puts what that
/// controller has for its host into the outbox.
///
/// - Returns: How many octets lie there.
@_cdecl("check_air")
public func checkAir(_ index: Int32, _ milliseconds: Int32) -> Int32 {
    var its = unsafe air ?? Air()
    its.world.receive(unsafe Array(inbox.octets), on: its.ids[Int(index)], at: its.now)
    its.now = its.now.advanced(byMilliseconds: UInt64(milliseconds))
    its.world.advance(to: its.now)
    unsafe air = its
    var octets: [UInt8] = []
    while let output = its.world.nextOutput() {
        if output.controller == its.ids[Int(index)] { octets += output.octets }
    }
    unsafe outbox.resize(to: octets.count)
    for position in octets.indices { unsafe outbox.octets[position] = octets[position] }
    return Int32(octets.count)
}
