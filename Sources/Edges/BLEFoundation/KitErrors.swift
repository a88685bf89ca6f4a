// SPDX-License-Identifier: Apache-2.0

public import FlockFinder
public import Foundation
public import Improv
public import Nightlight
public import WiFiSet

// What the kits throw or report.

extension DetectionError: DescribedError {}
extension DetectionScript.Failure: DescribedError {}
extension WiFiMessageError: DescribedError {}
extension WiFiCredentials.Failure: DescribedError {}
extension ImprovPacketError: DescribedError {}
extension LightPeriod.Failure: DescribedError {}
extension ScheduleError: DescribedError {}

extension NightlightErrorCode: LocalizedError {
    /// What the lamp did not like.
    public var errorDescription: String? { "The lamp refused: \(self)." }
}

extension SignatureTable.Failure: LocalizedError {
    /// What is wrong with the table.
    public var errorDescription: String? {
        switch self {
        case .badCount: "A table has 1 to \(SignatureTable.limit) signatures."
        case .badThreshold: "The threshold of a table is above 0 and at most 1."
        case .longText(nil): "A text of the table has more than \(SignatureTable.longestText) octets."
        case .longText(let index?):
            "A text of signature \(index + 1) has more than \(SignatureTable.longestText) octets."
        case .badWeight(let index): "The weight of signature \(index + 1) is not from -1 to 1, or is 0."
        case .missingType(let index): "Signature \(index + 1) speaks for something and does not say for what."
        case .repeated(let index, let first):
            "Signature \(index + 1) is the same as signature \(first + 1)."
        case .nothingToFind: "No signature of the table speaks for anything."
        }
    }
}

extension ImprovSettings.Failure: LocalizedError {
    /// What is wrong with the name or the password.
    public var errorDescription: String? {
        switch self {
        case .ssidLength(let count): "A network's name has 1 to 32 octets; this one has \(count)."
        case .passwordLength(let count): "A password has at most 64 octets; this one has \(count)."
        }
    }
}

extension ImprovError: LocalizedError {
    /// Why the command has no result, and what to do.
    public var errorDescription: String? {
        switch self {
        case .refused(.unableToConnect):
            "The device could not join the network: check the password and the network's name."
        case .refused(.notAuthorized): "Press the device's button first."
        case .refused(let code): "The device refused: \(code.keyword)."
        case .timeout: "The device did not answer in time."
        case .unsupported: "The device cannot do this."
        case .stopped: "The device takes no credentials now; nothing was sent."
        case .writeFailed(let failure): "The device could not be asked: \(failure)."
        case .tooMany: "Too many commands are waiting for the device."
        case .badResult(let fault): "The device's answer makes no sense: \(fault)."
        case .disconnected: "The link is gone."
        }
    }
}
