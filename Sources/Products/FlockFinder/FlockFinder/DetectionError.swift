// SPDX-License-Identifier: Apache-2.0

import WireJSON

/// Why octets are not an object that can be used, and where.
@frozen
public struct DetectionError: Error, Hashable, Sendable {
    /// What was wrong.
    public enum Reason: UInt8, Hashable, Sendable, CaseIterable {
        /// There is no object.
        case empty
        /// It has more than 8192 octets.
        case tooLong
        /// Lists and objects stand in each other more than 32 deep.
        case tooDeep
        /// It ends too early.
        case endsEarly
        /// A character stands where JSON allows none like it.
        case notJSON
        /// It is JSON, but not an object.
        case notAnObject
        /// Something follows the object.
        case trailing
        /// A string holds a control character that is not escaped.
        case controlCharacter
        /// A backslash is followed by something that JSON does not know.
        case badEscape
        /// An escape gives half a character.
        case loneSurrogate
        /// A string is not UTF-8.
        case badUTF8
        /// A number is not written as JSON wants it.
        case badNumber
        /// The key `type` is missing.
        case missingType
        /// The key `rssi` is missing.
        case missingRSSI
        /// The key `confidence` is missing.
        case missingConfidence
        /// The value of `type` is not text.
        case badType
        /// The value of `mac` is not a MAC address.
        case badMAC
        /// The value of `ssid` is not text.
        case badSSID
        /// The value of `rssi` is not a whole number from -127 to 20.
        case badRSSI
        /// The value of `confidence` is not a number from 0 to 1.
        case badConfidence
        /// The value of `ts` is not a time.
        case badTime
        /// The value of `after_ms` is not a whole number of milliseconds.
        case badWait
        /// Its rest did not come within 5 seconds.
        case restMissing
        /// The link was closed before its rest came.
        case linkClosed

        /// What was wrong, in words that follow "The object".
        public var text: StaticString {
            switch self {
            case .empty: "is empty"
            case .tooLong: "is longer than 8192 octets"
            case .tooDeep: "is nested more than 32 deep"
            case .endsEarly: "ends too early"
            case .notJSON: "is not JSON"
            case .notAnObject: "is not a JSON object"
            case .trailing: "is followed by something else"
            case .controlCharacter: "has a control character in a string"
            case .badEscape: "has a wrong escape in a string"
            case .loneSurrogate: "has half a surrogate pair in a string"
            case .badUTF8: "is not UTF-8"
            case .badNumber: "has a badly written number"
            case .missingType: "has no type"
            case .missingRSSI: "has no rssi"
            case .missingConfidence: "has no confidence"
            case .badType: "has a type that is not text"
            case .badMAC: "has a mac that is not six pairs of hex digits with colons"
            case .badSSID: "has an ssid that is not text"
            case .badRSSI: "has an rssi that is not a whole number from -127 to 20"
            case .badConfidence: "has a confidence that is not a number from 0 to 1"
            case .badTime: "has a ts that is not a time"
            case .badWait: "has an after_ms that is not a whole number of milliseconds"
            case .restMissing: "was not continued within 5 seconds"
            case .linkClosed: "was cut off when the link was lost"
            }
        }
    }

    /// What was wrong.
    public let reason: Reason
    /// Octets before the fault.
    public let offset: Int

    /// Makes an error.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension DetectionError {
    /// A fault of the text as such.
    init(_ error: JSONError) {
        let reason: Reason =
            switch error.reason {
            case .tooDeep: .tooDeep
            case .endsEarly: .endsEarly
            case .notJSON: .notJSON
            case .controlCharacter: .controlCharacter
            case .badEscape: .badEscape
            case .loneSurrogate: .loneSurrogate
            case .badUTF8: .badUTF8
            case .badNumber: .badNumber
            }
        self.init(reason, at: error.offset)
    }
}

extension JSONScanner {
    /// What to say of text at the position that should begin an object and does not.
    func faultBeforeObject(_ octets: Span<UInt8>) -> DetectionError {
        var scanner = self
        do throws(JSONError) {
            _ = try scanner.value(octets)
            return DetectionError(.notAnObject, at: position)
        } catch {
            return DetectionError(.notJSON, at: position)
        }
    }
}
