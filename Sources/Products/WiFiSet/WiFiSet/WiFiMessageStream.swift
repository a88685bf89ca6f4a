// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Puts the pieces of messages together that came on one characteristic, in one direction.
///
/// Pieces are joined with no regard to where they end: one may hold part of a message or several. A message
/// that is announced longer than any is refused at once; one whose rest does not come within
/// ``WiFiSetLimit/assembly`` is given up. After an error, also in a message that it has given, ``reset()`` lets the
/// next piece begin a message.
///
/// Spec: Documentation/Protocols/wifiset.md, Pieces.
public struct WiFiMessageStream: Sendable {
    private var held: [UInt8] = []
    private var until: HostInstant?

    /// Makes an empty stream.
    public init() {}

    /// When to call ``deadlineReached(at:)``.
    public var nextDeadline: HostInstant? { until }

    /// Adds the next piece.
    ///
    /// - Parameters:
    ///   - piece: A value as it was notified or written.
    ///   - now: When it came.
    public mutating func receive(_ piece: [UInt8], at now: HostInstant) {
        guard !piece.isEmpty else { return }
        held += piece
        until = now.advanced(bySeconds: WiFiSetLimit.assemblySeconds)
    }

    /// Removes and returns the next whole message.
    ///
    /// - Returns: The octets of a message; `nil` when more are needed.
    /// - Throws: ``WiFiMessageError/tooLong(announced:)`` when this cannot become a message.
    public mutating func next() throws(WiFiMessageError) -> [UInt8]? {
        guard let announced else { return nil }
        guard announced <= WiFiSetLimit.payload else {
            reset()
            throw .tooLong(announced: announced)
        }
        let count = WiFiSetLimit.header + announced
        guard held.count >= count else { return nil }
        let message = Array(held[..<count])
        let rest = Array(held[count...])
        WiFiCredentials.wipe(&held)
        held = rest
        if rest.isEmpty { until = nil }
        return message
    }

    /// Gives up a message whose rest has not come.
    ///
    /// - Parameter now: The moment.
    /// - Throws: ``WiFiMessageError/incomplete(held:announced:)`` when it is time, or
    ///   ``WiFiMessageError/noHeader(_:)`` when there is not even a header.
    public mutating func deadlineReached(at now: HostInstant) throws(WiFiMessageError) {
        guard let until, until <= now else { return }
        let count = held.count
        let announced = announced
        reset()
        guard let announced else { throw .noHeader(count) }
        throw .incomplete(held: count - WiFiSetLimit.header, announced: announced)
    }

    /// Forgets what it holds, overwriting it: it may be a password.
    public mutating func reset() {
        WiFiCredentials.wipe(&held)
        until = nil
    }

    /// Octets of payload that the header announces, once it is there.
    private var announced: Int? {
        guard held.count >= WiFiSetLimit.header else { return nil }
        return Int(held[2]) | Int(held[3]) &<< 8
    }
}

/// Watches the sequence numbers of one sender on one link.
///
/// Spec: Documentation/Protocols/wifiset.md, Sequence numbers.
public struct WiFiSequence: Sendable {
    /// What a number says of its message.
    public enum Verdict: Hashable, Sendable {
        /// It is the next one, or the first.
        case next
        /// The message before came again.
        case repeated
        /// This many messages are missing, or came out of order.
        case gap(expected: UInt8, received: UInt8)
    }

    private var last: [UInt8] = []

    /// Makes a watch that has seen nothing.
    public init() {}

    /// Judges a message.
    ///
    /// - Parameter message: The whole message's octets.
    /// - Returns: What its number says.
    public mutating func judge(_ message: [UInt8]) -> Verdict {
        guard message.count >= WiFiSetLimit.header else { return .next }
        if message == last { return .repeated }
        defer {
            WiFiCredentials.wipe(&last)
            last = message
        }
        guard last.count >= WiFiSetLimit.header else { return .next }
        let expected = last[1] &+ 1
        return message[1] == expected ? .next : .gap(expected: expected, received: message[1])
    }

    /// Overwrites the message that it remembers, which may hold a password.
    public mutating func reset() { WiFiCredentials.wipe(&last) }
}
