// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Puts the pieces of messages together that came on one characteristic, in one direction.
///
/// A message begins with a piece and may go on in the next ones. A message that is announced longer than any
/// is refused at once; one whose rest does not come within ``WiFiSetLimit/assembly`` is given up. After an error the
/// next piece begins a message.
///
/// Spec: wifiset-protocol.txt, Chunking; design section 7.
public struct WiFiMessageStream: Sendable {
    private var held: [UInt8] = []
    private var until: HostInstant?

    /// Makes a stream that holds nothing.
    public init() {}

    /// When to call ``deadlineReached(at:)``.
    public var nextDeadline: HostInstant? { until }

    /// Takes the next piece.
    ///
    /// - Parameters:
    ///   - piece: A value as it was notified or written.
    ///   - now: When it came.
    /// - Returns: The octets of a whole message; `nil` when more are needed.
    /// - Throws: ``WiFiMessageError`` when this cannot become a message.
    public mutating func receive(_ piece: [UInt8], at now: HostInstant) throws(WiFiMessageError) -> [UInt8]? {
        guard !piece.isEmpty else { return nil }
        held += piece
        guard let expected else {
            until = now.advanced(bySeconds: WiFiSetLimit.assembly)
            return nil
        }
        let announced = expected - WiFiSetLimit.header
        guard announced <= WiFiSetLimit.payload else {
            reset()
            throw .tooLong(announced: announced)
        }
        guard held.count >= expected else {
            until = now.advanced(bySeconds: WiFiSetLimit.assembly)
            return nil
        }
        guard held.count == expected else {
            let following = held.count - WiFiSetLimit.header
            reset()
            throw .lengthMismatch(announced: announced, following: following)
        }
        let message = held
        reset()
        return message
    }

    /// Gives up a message whose rest has not come.
    ///
    /// - Parameter now: The moment.
    /// - Throws: ``WiFiMessageError/incomplete(held:expected:)`` when it is time.
    public mutating func deadlineReached(at now: HostInstant) throws(WiFiMessageError) {
        guard let until, until <= now else { return }
        let error = WiFiMessageError.incomplete(held: held.count, expected: expected ?? WiFiSetLimit.header)
        reset()
        throw error
    }

    /// Forgets what it holds, overwriting it: it may be a password.
    public mutating func reset() {
        WiFiCredentials.wipe(&held)
        until = nil
    }

    /// Octets of the whole message, once the header is there.
    private var expected: Int? {
        guard held.count >= WiFiSetLimit.header else { return nil }
        return WiFiSetLimit.header + (Int(held[2]) | Int(held[3]) &<< 8)
    }
}

/// Watches the sequence numbers of one sender on one link.
///
/// Spec: wifiset-protocol.txt, Sequence Number Handling; design section 7.
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
