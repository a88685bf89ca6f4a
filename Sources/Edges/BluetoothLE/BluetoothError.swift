// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

/// Why something asked of a radio or a peer did not work, by what a caller can do about it.
public enum BluetoothError: Error, Hashable, Sendable {
    /// The radio is switched off, gone or cannot be reached; the text says more.
    case radioUnavailable(String)
    /// This program may not use the radio.
    case unauthorized
    /// The radio refused; the text says what.
    case refusedByRadio(String)
    /// The link could not be opened, or is gone.
    case link(LinkFailure)
    /// The peer refused, did not answer or answered nonsense.
    case request(RequestFailure)
    /// An L2CAP channel could not be opened, or is closed.
    case channel(ChannelFailure)
    /// What was asked for cannot be done: the text says why.
    case invalidArgument(String)
    /// Octets do not fit: send fewer, or in parts.
    case tooLong(octets: Int, limit: Int)
    /// The radio, the platform or the device lacks what this needs: do without it. The text says what.
    case unsupported(String)
    /// The device's host was asked and said no: try later, or ask for less.
    case refusedByPeer
    /// The task was cancelled.
    case cancelled
}

extension BluetoothError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .radioUnavailable(let why): "The radio cannot be used: \(why)."
        case .unauthorized: "This program may not use Bluetooth."
        case .refusedByRadio(let why): "The radio refused: \(why)."
        case .link(let failure): failure.sentence
        case .request(let failure): failure.sentence
        case .channel(let failure): failure.sentence
        case .invalidArgument(let why): why
        case .tooLong(let octets, let limit): "\(octets) octets do not fit: at most \(limit) do."
        case .unsupported(let what): "This is not supported: \(what)."
        case .refusedByPeer: "The device refused."
        case .cancelled: "It was cancelled."
        }
    }
}

extension LinkFailure {
    /// One sentence for a person.
    public var sentence: String {
        switch self {
        case .closedByUs: "The connection was closed."
        case .closedByPeer: "The device closed the connection."
        case .closedByPeerBecause(let status):
            "The device closed the connection with status 0x\([status].hexadecimal)."
        case .supervisionTimeout: "The device fell silent and the connection was lost."
        case .connectTimeout: "The device did not accept the connection in time."
        case .protocolFailure: "The device stopped answering or broke the protocol."
        case .consumerTooSlow: "The connection was closed because nobody took out what the device sent."
        case .radioLost: "The radio is gone."
        case .controller(let status): "The connection failed with status 0x\([status].hexadecimal)."
        }
    }
}

extension RequestFailure {
    /// One sentence for a person.
    public var sentence: String {
        switch self {
        case .refused(let code): "The device refused: \(code.words)."
        case .timeout: "The device did not answer within 30 seconds."
        case .badResponse: "The device answered with something that makes no sense."
        case .disconnected: "The connection was lost before the device answered."
        case .unsupported: "The device or this radio cannot do that."
        case .queueFull: "Too many requests are waiting."
        case .tooLong: "The request does not fit into what the device takes at once."
        }
    }
}

extension ATT.ErrorCode {
    /// What the code means, in a few words.
    public var words: String {
        switch self {
        case .invalidHandle: "there is nothing with this handle"
        case .readNotPermitted: "reading is not permitted"
        case .writeNotPermitted: "writing is not permitted"
        case .invalidPDU: "the request was malformed"
        case .insufficientAuthentication: "the link must be authenticated first"
        case .requestNotSupported: "the request is not supported"
        case .invalidOffset: "the offset is past the end of the value"
        case .insufficientAuthorization: "this is not authorized"
        case .prepareQueueFull: "too many prepared writes"
        case .attributeNotFound: "nothing was found"
        case .attributeNotLong: "the value cannot be read in parts"
        case .encryptionKeySizeTooShort: "the encryption key is too short"
        case .invalidAttributeValueLength: "the value has the wrong length"
        case .unlikelyError: "an unlikely error"
        case .insufficientEncryption: "the link must be encrypted first"
        case .unsupportedGroupType: "the group type is not supported"
        case .insufficientResources: "the device has no room"
        case .databaseOutOfSync: "the database has changed"
        case .valueNotAllowed: "the value is not allowed"
        case .writeRequestRejected: "the write was rejected"
        case .cccdImproperlyConfigured: "notifications are not configured properly"
        case .procedureAlreadyInProgress: "this is already in progress"
        case .outOfRange: "the value is out of range"
        default:
            isApplicationError
                ? "application error 0x\([rawValue].hexadecimal)" : "error 0x\([rawValue].hexadecimal)"
        }
    }
}
