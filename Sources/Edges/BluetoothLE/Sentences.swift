// SPDX-License-Identifier: Apache-2.0

// What the reasons of the layers below mean, for a person.

extension LinkError {
    /// The sentence of an error that has this reason.
    package var sentence: String {
        switch self {
        case .closedByUs: "The connection was closed."
        case .closedByPeer: "The device closed the connection."
        case .closedByPeerBecause(let status): "The device ended the connection: \(Self.explanation(status))."
        case .supervisionTimeout: "The device fell silent and the connection was lost."
        case .connectTimeout: "The device did not accept the connection in time."
        case .protocolFailure: "The device stopped answering or broke the protocol."
        case .consumerTooSlow: "The connection was closed: more came than this program took."
        case .flowControlIgnored:
            "The connection was closed: more came than this program took, and the radio's controller ignores the limit that it has agreed to (host flow control)."
        case .radioLost: "The radio is gone."
        // Spec: Core v5.4, Vol 1, Part F, 1.3: memory capacity exceeded, connection limit exceeded.
        case .controller(0x07), .controller(0x09):
            "The radio has no room for another connection. End one that is not needed."
        case .controller(0x0B): "There is a connection to the device already."
        case .controller(0x3E): "The connection was announced and never came about."
        case .controller(let status): "The connection failed with status 0x\([status].hexadecimal)."
        }
    }

    /// What a device wants that has ended a link, by its reason.
    ///
    /// Spec: Core v5.4, Vol 1, Part F, 2.
    private static func explanation(_ status: UInt8) -> String {
        switch status {
        case 0x05: "it wants to be paired first, or did not accept the pairing"
        case 0x1A: "it wants a feature that this radio lacks"
        case 0x29: "it wants to be paired with its own key, which this radio cannot do"
        case 0x3B: "the timing of the connection did not suit it"
        default: "its reason is 0x\([status].hexadecimal)"
        }
    }
}

extension ChannelError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .closedByUs: "The channel was closed."
        case .closedByPeer: "The device closed the channel."
        case .notOffered: "The device offers no channel at this PSM: is the number right?"
        case .noResources: "There is no room for another channel: close one, or try again later."
        case .insufficientSecurity: "The device wants the link to be secured before it opens this channel."
        case .refused(let result): "The device refused the channel with result \(result)."
        case .unsupported: "The device has no L2CAP channels."
        case .timeout: "The device did not answer the request for a channel."
        case .protocolViolation(let what):
            "The channel was closed because the device broke its rules: \(what)."
        case .linkLost: "The connection was lost, and the channel with it."
        }
    }
}
