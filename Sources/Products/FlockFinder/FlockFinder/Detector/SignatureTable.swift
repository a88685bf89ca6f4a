// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEWire

/// What a ``Detector`` knows of cameras and sensors: signatures with their weights.
///
/// How sure it is of a kind adds up: a signature that alone is right in four of ten cases (0.4) leaves six in doubt, and
/// each further one takes its share of the doubt that is left: 0.4 and 0.5 give 0.7. So the order does not matter, many weak
/// signs never make certainty, and a weight can be found by counting. What speaks against takes its share of what has
/// come together: -0.8 leaves a fifth. Of several shapes that fit a name, and of several prefixes, only the strongest
/// counts: they have seen the same octets.
public struct SignatureTable: Hashable, Sendable {
    /// How many signatures there may be.
    public static let limit = 1000
    /// How many octets a name, a version or a source may have.
    public static let longestText = 200

    /// Why a table cannot be used.
    public enum Failure: Error, Hashable, Sendable {
        /// It has no signatures, or more than ``limit``.
        case badCount
        /// The threshold is not above 0 and at most 1.
        case badThreshold
        /// A text of the table or of a signature is too long; the number of the signature, `nil` for the table.
        case longText(Int?)
        /// The weight of a signature is 0, not a number, or not between -1 and 1.
        case badWeight(Int)
        /// A signature speaks for something and does not say for what.
        case missingType(Int)
        /// A signature comes again: its number, and that of the first.
        case repeated(Int, first: Int)
        /// No signature speaks for anything, so nothing could ever be found.
        case nothingToFind
    }

    /// Who has made it.
    public let name: WireText
    /// Which version it is.
    public let version: WireText
    /// From which confidence on something is said, above 0 and at most 1.
    public let threshold: Double
    /// The signatures.
    public let signatures: [Signature]

    /// Checks a table.
    ///
    /// - Parameters:
    ///   - name: Who has made it.
    ///   - version: Which version it is.
    ///   - threshold: From which confidence on something is said, above 0 and at most 1.
    ///   - signatures: The signatures.
    /// - Throws: ``Failure``, the first.
    public init(
        name: WireText, version: WireText, threshold: Double, signatures: [Signature]
    ) throws(Failure) {
        guard (1...Self.limit).contains(signatures.count) else { throw .badCount }
        guard threshold > 0, threshold <= 1 else { throw .badThreshold }
        guard Self.isShort(name), Self.isShort(version) else { throw .longText(nil) }
        var numbers: [Signature: Int] = [:]
        var hasAim = false
        for (index, signature) in signatures.enumerated() {
            let weight = signature.weight
            guard weight >= -1, weight <= 1, weight != 0 else { throw .badWeight(index) }
            guard weight < 0 || signature.type != nil else { throw .missingType(index) }
            guard Self.isShort(signature.version), Self.isShort(signature.source) else {
                throw .longText(index)
            }
            if weight > 0 { hasAim = true }
            let same = Signature(signature.mark, type: signature.type, weight: weight > 0 ? 1 : -1)
            if let first = numbers[same] { throw .repeated(index, first: first) }
            numbers[same] = index
        }
        guard hasAim else { throw .nothingToFind }
        self.init(known: signatures, name: name, version: version, threshold: threshold)
    }

    /// Takes signatures that keep the rules.
    init(known signatures: [Signature], name: WireText, version: WireText, threshold: Double) {
        self.name = name
        self.version = version
        self.threshold = threshold
        self.signatures = signatures
    }

    private static func isShort(_ text: WireText) -> Bool { text.octets.count <= longestText }

    // MARK: Matching

    /// The numbers of the signatures that an advertisement shows, in order.
    ///
    /// - Parameters:
    ///   - data: The advertisement or scan response; nothing of it is trusted.
    ///   - address: Who has sent it.
    /// - Returns: The numbers.
    func matches(in data: AdvertisingData, from address: BluetoothAddress) -> [Int] {
        let name = data.name
        let services = data.services + data.serviceData.map { $0.uuid }
        let makers = data.manufacturerData.map { $0.company }
        return signatures.indices.filter { index in
            switch signatures[index].mark {
            case .name(let shape): name.map { shape.fits($0) } ?? false
            case .service(let uuid): services.contains(uuid)
            case .maker(let company): makers.contains(company)
            case .prefix(let prefix): prefix.fits(address)
            }
        }
    }

    /// Judges what is known of a source where the advertisement itself is not there.
    ///
    /// - Parameters:
    ///   - name: Its Bluetooth or Wi-Fi name.
    ///   - maker: The number of the company that its advertisements name.
    ///   - address: Its address.
    /// - Returns: What kind it is and how sure that is, 0 to 1 in hundredths; `nil` when that is below the threshold.
    public func judge(
        name: WireText?, maker: UInt16?, address: BluetoothAddress
    ) -> (type: DetectionType, confidence: Double)? {
        let name = name.flatMap { WireText(name: $0.octets) }
        let found = signatures.indices.filter { index in
            switch signatures[index].mark {
            case .name(let shape): name.map { shape.fits($0) } ?? false
            case .service: false
            case .maker(let company): maker == company
            case .prefix(let prefix): prefix.fits(address)
            }
        }
        guard let verdict = verdict(found), verdict.confidence >= threshold else { return nil }
        return (verdict.type, Double(Int(verdict.confidence * 100 + 0.5)) / 100)
    }

    /// What signatures say together.
    ///
    /// - Parameter matches: The numbers of those that were seen.
    /// - Returns: The likeliest kind; `nil` when nothing speaks for any.
    func verdict(_ matches: [Int]) -> Verdict? {
        var best: Verdict?
        for type in DetectionType.allCases {
            let counting = matches.filter { counts($0, for: type, among: matches) }
            var (doubt, rest) = (1.0, 1.0)
            for index in counting {
                let weight = signatures[index].weight
                if weight > 0 { doubt *= 1 - weight } else { rest *= 1 + weight }
            }
            let confidence = (1 - doubt) * rest
            guard doubt < 1, confidence > best?.confidence ?? -1 else { continue }
            best = Verdict(type: type, confidence: confidence, reasons: counting)
        }
        return best
    }

    private func counts(_ index: Int, for type: DetectionType, among matches: [Int]) -> Bool {
        let mine = signatures[index]
        guard mine.type == type || mine.type == nil else { return false }
        return !matches.contains { other in
            let theirs = signatures[other]
            guard other != index, theirs.type == type || theirs.type == nil, theirs.looksWhere(mine),
                (theirs.weight > 0) == (mine.weight > 0)
            else { return false }
            let (strength, limit) = (theirs.weight.magnitude, mine.weight.magnitude)
            return strength > limit || strength == limit && other < index
        }
    }

    /// What signatures say together.
    struct Verdict {
        /// The likeliest kind.
        let type: DetectionType
        /// How sure that is, 0 to 1.
        let confidence: Double
        /// The numbers of the signatures that have counted.
        let reasons: [Int]
    }
}
