// SPDX-License-Identifier: Apache-2.0

/// A pipe of octets to a controller.
public protocol OctetTransport: Sendable {
    /// Sends octets, in the order of the calls.
    ///
    /// - Parameter octets: The octets.
    /// - Throws: ``TransportError`` when the pipe is gone.
    func send(_ octets: [UInt8]) async throws(TransportError)

    /// Sends octets without waiting, in the order of the calls, if the pipe can do that.
    ///
    /// What is on its way is bounded by whoever posts (HCI gives credits) and by the pipe, which brings nothing
    /// as long as too much waits to go out. A pipe that is gone tells by ``receive()``.
    ///
    /// - Parameter octets: The octets.
    /// - Returns: Whether they were taken; never by a pipe that only has ``send(_:)``.
    func post(_ octets: [UInt8]) -> Bool

    /// Where octets arrive: a task that prefers to run there takes and answers them with no change of threads.
    var executor: (any TaskExecutor)? { get }

    /// Waits for octets; beyond one piece read ahead, what is not asked for stays with the sender.
    ///
    /// One caller at a time, which goes on where it called.
    ///
    /// - Returns: At least one octet; `nil` when the other side has closed the pipe.
    /// - Throws: ``TransportError`` when the pipe is gone.
    nonisolated(nonsending) func receive() async throws(TransportError) -> [UInt8]?

    /// Closes the pipe; a waiting ``receive()`` ends.
    func close() async
}

extension OctetTransport {
    /// Takes nothing: the octets must go by ``send(_:)``.
    public func post(_ octets: [UInt8]) -> Bool { false }

    /// None: octets arrive on any thread.
    public var executor: (any TaskExecutor)? { nil }
}

/// Why a transport cannot be opened or used.
public enum TransportError: Error, Hashable, Sendable {
    /// The text that names the transport is not understood; the sentence says what is expected.
    case badName(String)
    /// The transport cannot be opened; the text says why.
    case cannotOpen(String)
    /// The transport is gone; the text says why.
    case lost(String)
}

extension TransportError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .badName(let sentence): sentence
        case .cannotOpen(let why): "The radio cannot be opened: \(why)."
        case .lost(let why): "The connection to the radio was lost: \(why)."
        }
    }
}
