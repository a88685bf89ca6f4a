// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension GATT.DiscoveryFault {
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

extension GATT.DiscoveryFault {
    /// What is wrong, and where.
    public var sentencePart: String { "at \(handle.text) \(words)" }
}

extension GATT.DiscoveryFault.Part {
    fileprivate var words: String {
        switch self {
        case .services: "services"
        case .includes: "included services"
        case .characteristics: "characteristics"
        case .descriptors: "descriptors"
        case .changes: "changes"
        }
    }
}

extension RequestFailure {
    fileprivate var words: String {
        switch self {
        case .refused(let code): "\(code)"
        case .timeout: "the device did not answer in time"
        case .disconnected: "the link was lost"
        case .badResponse, .unsupported, .queueFull, .tooLong: "the answer makes no sense"
        }
    }
}

extension GATTTree.Ending {
    /// The end in one sentence.
    public var sentence: String { "Not everything was read: at \(handle.text) \(reason)." }
}
