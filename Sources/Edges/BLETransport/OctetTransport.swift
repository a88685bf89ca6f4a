// SPDX-License-Identifier: Apache-2.0

/// A pipe of octets to a controller.
public protocol OctetTransport: Sendable {
    /// Sends octets, in the order of the calls.
    ///
    /// - Parameter octets: The octets.
    /// - Throws: ``TransportError`` when the pipe is gone.
    func send(_ octets: [UInt8]) async throws(TransportError)

    /// Waits for octets; what is not asked for stays with the sender.
    ///
    /// One caller at a time.
    ///
    /// - Returns: At least one octet; `nil` when the other side has closed the pipe.
    /// - Throws: ``TransportError`` when the pipe is gone.
    func receive() async throws(TransportError) -> [UInt8]?

    /// Closes the pipe; a waiting ``receive()`` ends.
    func close() async
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
