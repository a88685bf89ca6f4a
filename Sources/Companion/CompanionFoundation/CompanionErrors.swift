// SPDX-License-Identifier: Apache-2.0

public import BLEFoundation
public import Companion
import CompanionText
public import Detections
public import Foundation

// What the modules of the product Companion throw.

extension HubError: DescribedError {}
extension StoreError: DescribedError {}
extension BadInput: DescribedError {}

extension JSONDecodingError: LocalizedError {
    /// Where the text is wrong, and why.
    public var errorDescription: String? { "\(place): \(reason)".asSentence }
}

extension ImportError: LocalizedError {
    /// Where the file is wrong, and why.
    public var errorDescription: String? {
        let place = [line > 0 ? "line \(line)" : nil, column.map { "column \($0)" }].compactMap(\.self)
        return ((place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + reason).asSentence
    }
}

extension FixError: LocalizedError {
    /// Why the fix is not used.
    public var errorDescription: String? { "The fix \(text)." }
}

extension GPSDSession.Failure: LocalizedError {
    /// Why the connection is of no use.
    public var errorDescription: String? {
        switch self {
        case .notGPSD: "What listens there is not gpsd."
        case .silent: "gpsd does not answer any more."
        }
    }
}

extension WiFiSecretError: LocalizedError {
    /// Why the name and the password cannot be used.
    public var errorDescription: String? { WiFiText.sentence(self) }
}

extension WiFiError: LocalizedError {
    /// Why the request has failed, and what to do.
    public var errorDescription: String? {
        switch self {
        // What is said elsewhere names commands.
        case .noResult, .linkLost, .unsupported: WiFiText.reason(self)
        default: WiFiText.sentence(self)
        }
    }
}

extension ExplorerError: LocalizedError {
    /// Why the request has failed, and what to do.
    public var errorDescription: String? { sentence(.page) }
}

extension AttributeTargetError: LocalizedError {
    /// Why it is not clear which attribute is meant.
    public var errorDescription: String? { sentence(list: ExplorerWords.page.list) }
}
