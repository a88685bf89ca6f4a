// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising

/// What a device hands over another way than by radio before it pairs, as an NFC tag or a picture has it: advertising data.
///
/// Spec: CSS v12, Part A, 1.6 (confirmation and random value of LE Secure Connections) and 1.8 (TK of legacy pairing);
/// Core v5.4, Vol 3, Part H, 2.3.5.6.4.
public struct OutOfBandData: Sendable {
    /// The random number of the device and the commitment to its key, for LE Secure Connections.
    public var secureConnections: SMP.OutOfBand.Received?
    /// The key that both sides pair with the legacy way.
    public var temporaryKey: SMP.Secret?

    /// What is wrong with octets that should be such data, in a sentence.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    /// Puts data together.
    public init(secureConnections: SMP.OutOfBand.Received? = nil, temporaryKey: SMP.Secret? = nil) {
        self.secureConnections = secureConnections
        self.temporaryKey = temporaryKey
    }

    /// Reads advertising data; what else is in it, as an address or a name, is passed over.
    ///
    /// - Parameter octets: The data.
    /// - Throws: ``Invalid``.
    public init(decoding octets: [UInt8]) throws(Invalid) {
        let data = AdvertisingData(octets)
        guard data.fault == nil else {
            throw Invalid(
                description: "These are not structures of advertising data, as an NFC tag has them.")
        }
        let confirm = try Self.value(.secureConnectionsConfirmation, of: data)
        let random = try Self.value(.secureConnectionsRandom, of: data)
        let key = try Self.value(.deviceIDOrTemporaryKey, of: data)
        guard (confirm == nil) == (random == nil) else {
            throw Invalid(
                description: "A confirmation value (type 0x22) and a random value (0x23) belong together.")
        }
        guard confirm != nil || key != nil else {
            throw Invalid(
                description:
                    "There are neither a confirmation and a random value (types 0x22 and 0x23) nor a TK (0x10) in it."
            )
        }
        if let confirm, let random {
            secureConnections = SMP.OutOfBand.Received(random: SMP.Secret(random), confirm: confirm)
        }
        temporaryKey = key.map { SMP.Secret($0) }
    }

    private static func value(
        _ type: AdvertisingDataType, of data: AdvertisingData
    ) throws(Invalid) -> UInt128? {
        guard let octets = data.first(type) else { return nil }
        guard octets.count == 16 else {
            throw Invalid(description: "A value of it has \(octets.count) octets instead of 16.")
        }
        return octets.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The advertising data, for whatever brings it to the other device; nobody else may see it.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        func append(_ type: AdvertisingDataType, _ value: UInt128) {
            octets += [17, type.rawValue]
            octets += (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * UInt128($0))) }
        }
        if let temporaryKey { append(.deviceIDOrTemporaryKey, temporaryKey.value128) }
        if let secureConnections {
            append(.secureConnectionsConfirmation, secureConnections.confirm)
            append(.secureConnectionsRandom, secureConnections.random.value128)
        }
        return octets
    }
}

extension SMP.Configuration {
    /// Pairs with what a device has handed over.
    ///
    /// Data that has a TK alone is for legacy pairing, so nothing else is done then.
    ///
    /// - Parameter data: What the device has handed over.
    public mutating func use(_ data: OutOfBandData) {
        outOfBand.received = data.secureConnections
        if let key = data.temporaryKey { outOfBand.temporaryKey = key }
        if data.secureConnections == nil { secureConnections = .off }
    }
}

extension OutOfBandData {
    /// What a device hands over whose keys these are.
    ///
    /// - Parameters:
    ///   - own: The keys, and the commitment to them.
    ///   - temporaryKey: A key for legacy pairing.
    public init(_ own: SMP.OutOfBand.Own, temporaryKey: SMP.Secret? = nil) {
        self.init(
            secureConnections: SMP.OutOfBand.Received(random: own.random, confirm: own.confirm),
            temporaryKey: temporaryKey)
    }
}
