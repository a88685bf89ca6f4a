// SPDX-License-Identifier: Apache-2.0

import BLEWire

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How a loop waits, and its clock.
protocol LoopWaiting: AnyObject, Sendable {
    /// The moment; from any thread.
    var now: HostInstant { get }

    /// Ends a wait; from any thread.
    func wake()

    /// Waits for descriptors, and deals with those that are ready.
    ///
    /// - Parameter deadline: Up to when; `nil` for ever.
    func wait(until deadline: HostInstant?)

    /// Tells whoever waits for a descriptor that the loop ends.
    func endHandlers()

    /// Lets everything go.
    func close()

    /// Starts to watch a descriptor.
    func watch(_ descriptor: CInt, _ handler: any DescriptorHandler) -> Watch

    /// Changes what a descriptor is watched for; nothing lets it rest.
    func change(_ watch: Watch, to readiness: Readiness)

    /// Watches a descriptor no more.
    func unwatch(_ watch: Watch)
}

/// The place of a descriptor among those that a loop watches.
struct Watch {
    let index: Int
}

/// What a descriptor is ready for, or watched for.
struct Readiness: OptionSet {
    let rawValue: Int16

    /// Octets, a client or the end can be read.
    static let read = Readiness(rawValue: Int16(POLLIN))
    /// Octets can be written, or a connection is there.
    static let write = Readiness(rawValue: Int16(POLLOUT))
    /// The descriptor has an error or the other side is gone; always watched for unless it rests.
    static let failed = Readiness(rawValue: Int16(POLLERR | POLLHUP | POLLNVAL))
}

/// Deals with a descriptor, on the loop.
protocol DescriptorHandler: AnyObject {
    func ready(for readiness: Readiness)

    /// The loop ends; the descriptor must be closed.
    func loopEnded()
}
