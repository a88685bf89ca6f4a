// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEAdvertising
public import BLEGATT
public import BLEHCI
public import BLEHost
import BLEHostDriver
public import BLEL2CAP
public import BLESMP
public import BLEWire
public import Foundation

// What the product BLEHost throws or reports.

extension DecodeError: DescribedError {}
extension ATT.ErrorCode: DescribedError {}
extension GATTRequestError: DescribedError {}
extension HCI.Status: DescribedError {}
extension SMP.FailureReason: DescribedError {}

extension ATT.ErrorResponse: LocalizedError {
    /// Why the request was refused.
    public var errorDescription: String? { code.errorDescription }
}

extension AdvertisingDataBuilder.Overflow: LocalizedError {
    /// How much does not fit.
    public var errorDescription: String? {
        "\(needed) octets of advertising data do not fit: at most \(limit) do."
    }
}

extension AdvertisingDataError: LocalizedError {
    /// What is wrong with the advertising data.
    public var errorDescription: String? { "Advertising data at octet \(offset) makes no sense: \(error)." }
}

extension HCI.FramingError: LocalizedError {
    /// Why the controller is not understood any more.
    public var errorDescription: String? {
        switch self {
        case .lostSync(let indicator):
            "What the controller sends is not HCI: a packet begins with 0x\([indicator].hexadecimal)."
        case .tooLong(let count):
            "The controller announces a packet of \(count) octets, more than any may have."
        }
    }
}

extension HCI.ReplyError: LocalizedError {
    /// What came of the command.
    public var errorDescription: String? {
        switch self {
        case .refused(let status): "The controller refused: \(status)."
        case .malformed(let error): "The controller's answer makes no sense: \(error)."
        }
    }
}

extension HostError: LocalizedError {
    /// Why the host went off.
    public var errorDescription: String? { "The radio is off: \(words)." }
}

extension LinkProcedure.Failure: LocalizedError {
    /// Why nothing came of it.
    public var errorDescription: String? {
        switch self {
        case .refused(let status): "The radio refused: \(status)."
        case .refusedByPeer: "The device refused."
        case .invalid: "No link can do this."
        case .unsupported: "The radio cannot do this."
        case .badAnswer: "The radio's answer makes no sense."
        case .timeout: "The device did not answer in time."
        case .disconnected: "The link is gone."
        case .queueFull: "Too many requests are waiting for the radio."
        }
    }
}

extension L2CAP.ChannelViolation: LocalizedError {
    /// What the device did.
    public var errorDescription: String? { words.asSentence }

    fileprivate var words: String {
        switch self {
        case .noCredit: "the device sent more than it was allowed to"
        case .frameTooLong: "the device sent a frame that is too long"
        case .sduTooLong: "the device sent a message that is too long"
        case .badLength: "the length of a message of the device does not fit its frames"
        case .creditOverflow: "the device allowed more than can be counted"
        }
    }
}

extension L2CAP.ChannelError: LocalizedError {
    /// Why the channel is closed.
    public var errorDescription: String? {
        switch self {
        case .closedByUs: "The channel was closed."
        case .closedByPeer: "The device closed the channel."
        case .refused(let result): "The device refused the channel with result \(result.rawValue)."
        case .rejected(let reason):
            "The device has no L2CAP channels: it rejected the request with reason \(reason.rawValue)."
        case .timeout: "The device did not answer the request for a channel."
        case .badResponse: "The device's answer to the request for a channel makes no sense."
        case .violation(let violation): "The channel was closed: \(violation.words)."
        case .tooManyChannels: "There is no room for another channel: close one."
        case .linkLost: "The connection was lost, and the channel with it."
        }
    }
}
