// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
import GRDB

/// Keys of a device that a hub has paired with, sealed: the database cannot read them.
public struct SealedBond: Hashable, Sendable {
    /// The adapter that the device knows.
    public let adapter: String
    /// The device, by the address that stays; no text for what the adapter keeps of itself.
    public let identity: String
    /// What is sealed.
    public let octets: [UInt8]

    /// Makes one.
    public init(adapter: String, identity: String, octets: [UInt8]) {
        self.adapter = adapter
        self.identity = identity
        self.octets = octets
    }
}

extension DetectionDatabase {
    /// All that is kept of devices that were paired with, the oldest first.
    ///
    /// - Returns: What is sealed, of all adapters.
    /// - Throws: ``StoreError``.
    public func sealedBonds() async throws(StoreError) -> [SealedBond] {
        try await read { try Self.sealedBonds($0) }
    }

    static func sealedBonds(_ database: Database) throws -> [SealedBond] {
        try Row.fetchAll(database, sql: "SELECT adapter, identity, sealed FROM bond ORDER BY id").compactMap {
            row in
            guard let adapter: String = row.stored(0), let identity: String = row.stored(1),
                let octets: Data = row.stored(2)
            else { return nil }
            return SealedBond(adapter: adapter, identity: identity, octets: [UInt8](octets))
        }
    }

    /// Keeps what is sealed, in place of what was kept of the same device.
    ///
    /// - Parameter bond: What is sealed.
    /// - Throws: ``StoreError``.
    public func keep(_ bond: SealedBond) async throws(StoreError) {
        try await writer.perform { try Self.keep(bond, $0) }
    }

    static func keep(_ bond: SealedBond, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO bond (adapter, identity, sealed) VALUES (?, ?, ?)
                    ON CONFLICT (adapter, identity) DO UPDATE SET sealed = excluded.sealed
                """, arguments: [bond.adapter, bond.identity, Data(bond.octets)])
    }

    /// Forgets what is sealed of a device.
    ///
    /// - Parameters:
    ///   - adapter: The adapter that the device knows.
    ///   - identity: The device.
    /// - Returns: Whether there was any.
    /// - Throws: ``StoreError``.
    public func removeBond(adapter: String, identity: String) async throws(StoreError) -> Bool {
        try await writer.perform { database in
            try database.execute(
                literal: "DELETE FROM bond WHERE adapter = \(adapter) AND identity = \(identity)")
            return database.changesCount > 0
        }
    }
}
