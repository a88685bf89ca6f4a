// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
package import BLEWire

extension GATT.DiscoveryViolation {
    /// What is wrong, as part of a sentence.
    public var words: String {
        switch reason {
        case .ended(let failure) where part == .changes:
            "whether the services change could not be asked: \(failure.words)"
        case .ended(let failure): "the list of \(part.words) ends here: \(failure.words)"
        case .outOfRange: "the device has listed this without having been asked for it, or twice"
        case .badDeclaration: "the declaration has a length that none may have"
        case .badEnd(let end): "the service is said to end at \(end.text), which cannot be"
        case .badValueHandle(let value):
            "the value is said to be at \(value.text), which is not within its characteristic"
        case .noService: "this characteristic is in no service that the device has listed"
        }
    }
}

extension GATT.DiscoveryViolation {
    /// What is wrong, and where.
    public var sentencePart: String { "at \(handle.text) \(words)" }
}

extension GATT.DiscoveryViolation.Part {
    fileprivate var words: String {
        switch self {
        case .services: "services"
        case .secondaryServices: "secondary services"
        case .includes: "included services"
        case .characteristics: "characteristics"
        case .descriptors: "descriptors"
        case .changes: "changes"
        }
    }
}

extension GATTRequestError {
    fileprivate var words: String {
        switch self {
        case .refused(let code): "\(code)"
        case .timeout: "the device did not answer in time"
        case .disconnected: "the link was lost"
        case .badResponse, .unsupported, .queueFull, .tooLong: "the answer makes no sense"
        }
    }
}

extension GATTRequestError {
    /// Why no more of a value has come than its first part, as part of a sentence.
    package var incomplete: String {
        if case .refused(let code) = self { "the device refused to read on (\(code))" } else { words }
    }
}

extension GATTTree.Ending {
    /// The end of a tree whose device has not answered, or whose link was lost; `nil` for failures that end no link.
    package init?(_ handle: AttributeHandle, _ failure: GATTRequestError?) {
        switch failure {
        case .timeout?: self.init(handle, isTimeout: true, GATTRequestError.timeout.words)
        case .disconnected?: self.init(handle, isTimeout: false, GATTRequestError.disconnected.words)
        default: return nil
        }
    }

    /// The end that has come while services were found, if it has.
    package init?(_ faults: [GATT.DiscoveryViolation]) {
        for fault in faults {
            guard case .ended(let failure) = fault.reason, let ending = Self(fault.handle, failure) else {
                continue
            }
            self = ending
            return
        }
        return nil
    }

    /// The end in one sentence.
    public var sentence: String { "Not everything was read: at \(handle.text) \(reason)." }
}
