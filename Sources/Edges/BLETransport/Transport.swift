// SPDX-License-Identifier: Apache-2.0

/// A way to a controller, on a loop.
///
/// The loop does not hold it: whoever has opened it does, and letting it go closes it.
public protocol Transport: AnyObject, Sendable {
    /// Where what arrives is handed over.
    var loop: TransportLoop { get }

    /// Whether each ``TransportInput/octets(_:)`` is exactly one HCI packet, its H4 indicator first.
    var isPacketBased: Bool { get }

    /// Starts to read; once.
    ///
    /// Nothing is read as long as more than 64 KiB wait to go out: a peer that takes nothing is not listened to.
    ///
    /// - Parameter receiver: Called on the loop, outside any task, with what arrives, and last with the end,
    ///   exactly once; it is let go then.
    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void)

    /// Sends octets, in the order of the calls, from any thread.
    ///
    /// It never waits. All that is sent in one turn of the loop leaves in one write at its end. What is on its way
    /// is bounded by whoever sends (HCI gives credits). What is sent after the end is dropped.
    ///
    /// - Parameter octets: Whole HCI packets; one of them if the transport is packet based.
    func send(_ octets: [UInt8])

    /// Closes the transport, from any thread; ``TransportInput/ended(_:)`` with `nil` follows.
    ///
    /// What was sent before leaves first, as far as it can without waiting.
    func close()
}

/// What a transport brings.
public enum TransportInput: Sendable {
    /// At least one octet; whoever keeps the array costs the loop its buffer.
    case octets([UInt8])
    /// Nothing comes any more; `nil` when this side has closed it.
    case ended(TransportError?)
}

/// Why a transport cannot be opened or used.
public enum TransportError: Error, Hashable, Sendable {
    /// The text that names the transport is not understood; the sentence says what is expected.
    case badName(String)
    /// The transport cannot be opened; the text says why.
    case cannotOpen(String)
    /// The transport is gone; the text says why.
    case lost(String)
    /// A Bluetooth adapter of this machine cannot be used, or not any more.
    case adapter(AdapterError)
}

extension TransportError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .badName(let sentence): sentence
        case .cannotOpen(let why): "The radio cannot be opened: \(why)."
        case .lost(let why): "The connection to the radio was lost: \(why)."
        case .adapter(let fault): "The radio cannot be opened: \(fault.words)."
        }
    }

    /// The reason alone, without the sentence around it.
    public var reason: String {
        switch self {
        case .badName(let why), .cannotOpen(let why), .lost(let why): why
        case .adapter(let fault): fault.words
        }
    }
}
