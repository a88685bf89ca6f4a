// SPDX-License-Identifier: Apache-2.0

/// Why something asked of a radio or a peer did not work: one case for each thing a caller can do something about.
public enum BluetoothError: Error, Hashable, Sendable {
    /// The radio is switched off, gone or cannot be reached: wait for it (``Radio/states()``). The text says more.
    case radioUnavailable(String)
    /// This program may not use the radio: ask for the permission. The text says how.
    case unauthorized(String)
    /// The radio refused: ask for less, or later. The text says what.
    case refusedByRadio(String)
    /// This radio cannot do that: do without it; see ``Radio/capabilities``.
    case unsupported(RadioCapability)
    /// No device that fits was heard in time: is it near and on?
    case notFound
    /// The link could not be opened: is the device near and on?
    case connectFailed(LinkError)
    /// A link to the device is open, or being opened: use that one, or close it first.
    case alreadyConnected
    /// The link is gone: connect again.
    case disconnected(LinkError)
    /// The device refused a request: the code says why.
    case refused(ATT.ErrorCode)
    /// The device's host was asked for another timing and said no: try later, or ask for less.
    case refusedByPeer
    /// The device or the characteristic does not have what this needs. The text says what.
    case notOffered(String)
    /// The device did not answer in time.
    case timeout
    /// The device, or the radio, answered with something that makes no sense.
    case badResponse
    /// Too many requests wait for the device: wait for some of them.
    case tooManyRequests
    /// The device's services are not what they were: find them again.
    case servicesChanged
    /// An L2CAP channel could not be opened, or is closed.
    case channel(ChannelError)
    /// Pairing, or encryption with kept keys, came to nothing: the reason says what to do.
    case pairing(SMP.Failure)
    /// Keys of devices could not be read or kept. The text is a sentence.
    case bonds(String)
    /// What was asked for cannot be done by anybody: the text says why.
    case invalidArgument(String)
    /// Octets do not fit: send fewer, or in parts.
    case tooLong(octets: Int, limit: Int)
    /// The task was cancelled.
    case cancelled
}

extension BluetoothError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .radioUnavailable(let why): "The radio cannot be used: \(why)."
        case .unauthorized(let how): "This program may not use Bluetooth: \(how)."
        case .refusedByRadio(let why): "The radio refused: \(why)."
        case .unsupported(let capability): "This radio lacks \(capability)."
        case .notFound: "No such device was heard: is it near and on?"
        case .connectFailed(let failure), .disconnected(let failure): failure.sentence
        case .alreadyConnected:
            "This device is connected already, or being connected: use that connection, or end it first."
        case .refused(let code) where code.asksForSecurity:
            "The device refused: \(code). Pair with it first."
        case .refused(let code): "The device refused: \(code)."
        case .refusedByPeer: "The device refused."
        case .notOffered(let what): "This is not possible: \(what)."
        case .timeout: "The device did not answer in time."
        case .badResponse: "The device answered with something that makes no sense."
        case .tooManyRequests: "Too many requests are waiting for the device."
        case .servicesChanged: "The device's services have changed: find them again."
        case .channel(let failure): failure.description
        case .pairing(let failure): failure.sentence
        case .bonds(let sentence): sentence
        case .invalidArgument(let why): why
        case .tooLong(let octets, let limit): "\(octets) octets do not fit: at most \(limit) do."
        case .cancelled: "It was cancelled."
        }
    }
}

extension BluetoothError: CustomDebugStringConvertible {
    /// The case and the sentence, as failed tests show it.
    public var debugDescription: String { "\(word): \(description)" }

    /// The case, with what a program goes by.
    private var word: String {
        switch self {
        case .radioUnavailable: ".radioUnavailable"
        case .unauthorized: ".unauthorized"
        case .refusedByRadio: ".refusedByRadio"
        case .unsupported(let capability): ".unsupported(\(capability))"
        case .notFound: ".notFound"
        case .connectFailed(let failure): ".connectFailed(\(failure))"
        case .alreadyConnected: ".alreadyConnected"
        case .disconnected(let failure): ".disconnected(\(failure))"
        case .refused(let code): ".refused(\(code))"
        case .refusedByPeer: ".refusedByPeer"
        case .notOffered: ".notOffered"
        case .timeout: ".timeout"
        case .badResponse: ".badResponse"
        case .tooManyRequests: ".tooManyRequests"
        case .servicesChanged: ".servicesChanged"
        case .channel(let failure): ".channel(\(failure))"
        case .pairing(let failure): ".pairing(\(failure))"
        case .bonds: ".bonds"
        case .invalidArgument: ".invalidArgument"
        case .tooLong: ".tooLong"
        case .cancelled: ".cancelled"
        }
    }
}

extension ATT.ErrorCode {
    /// Whether a request may be granted once the link is protected, or protected better.
    ///
    /// Spec: Core v5.4, Vol 3, Part C, 10.3.1.
    package var asksForSecurity: Bool {
        self == .insufficientAuthentication || self == .insufficientEncryption
    }
}
