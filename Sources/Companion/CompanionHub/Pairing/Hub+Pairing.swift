// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEWire
import BluetoothLE
package import Companion
import CompanionDevices
package import HubModel

/// The devices that a hub has paired with, and which of its links are encrypted.
extension Hub {
    /// What it keeps of devices that it has paired with.
    package struct Bonds: Sendable {
        /// The devices, the one that was paired first at the beginning.
        package var items: [HubBond] = []
        /// How many cannot be read.
        package var unreadable = 0
        /// Why no bonds can be kept, or listed, in a sentence; `nil` when they can.
        package var fault: String?
    }

    /// The devices that it has paired with.
    ///
    /// - Returns: Those of its database, also of other adapters; over BlueZ, those of BlueZ.
    package func bonds() async -> Bonds {
        var found = Bonds()
        if let bonds = options.bonds {
            do throws(BondStoreError) {
                let all = try await bonds.all()
                found.unreadable = all.unreadable
                found.items = all.entries.map { adapter, kept in
                    bond(
                        Peer(kept.identity), Peer(adapter), LinkSecurity(kept.bond.security),
                        kept.bond.identity?.resolvingKey != nil)
                }
                found.fault = bonds.fault
            } catch {
                found.fault = error.description
            }
        }
        guard let radio = await radio.current, let others = try? await radio.bonds() else { return found }
        let known = Set(found.items.map(\.peer))
        found.items += others.filter { !known.contains($0.peer) }.map { other in
            bond(other.peer, other.adapter.map { Peer($0) }, other.security, other.hasChangingAddress)
        }
        return found
    }

    private func bond(
        _ peer: Peer, _ adapter: Peer?, _ security: LinkSecurity, _ isHiding: Bool?
    ) -> HubBond {
        let device = board.device(of: peer)
        return HubBond(
            peer, name: device?.ownName ?? device?.name, device: device?.id, of: adapter,
            ProtectionJSON(security), hasChangingAddress: isHiding)
    }

    /// Forgets the keys of a device.
    ///
    /// - Parameter device: The device, by the address that stays.
    /// - Throws: ``HubError``.
    package func removeBond(of device: DeviceAddress) async throws(HubError) {
        var wasKept = false
        do throws(BluetoothError) {
            if let radio = await radio.current {
                for bond in (try? await radio.bonds()) ?? [] where device.matches(bond.peer) {
                    wasKept = try await radio.removeBond(of: bond.peer) || wasKept
                }
            }
        } catch {
            throw .notNow("The keys are still kept. \(error)")
        }
        // Those of another adapter, or without a radio.
        if let bonds = options.bonds {
            do throws(BondStoreError) {
                for (adapter, kept) in try await bonds.all().entries where device.matches(Peer(kept.identity))
                {
                    wasKept = try await bonds.remove(kept.identity, of: adapter) || wasKept
                }
            } catch {
                throw .notNow("The keys are still kept. \(error)")
            }
        }
        guard wasKept else { throw .notFound("The hub keeps no keys of this device.") }
        feed.publish(BondsChanged(), at: clock.now())
    }

    /// Forgets the bonds that cannot be read, so that others can be kept.
    ///
    /// - Throws: ``HubError``.
    package func removeUnreadableBonds() async throws(HubError) {
        do throws(BondStoreError) {
            try await options.bonds?.removeUnreadable()
        } catch {
            throw .notNow(error.description)
        }
        feed.publish(BondsChanged(), at: clock.now())
        // Whoever answers for the radio is to keep bonds again.
        await radio.renewAgent()
    }

    /// Has links of a kind encrypted, where people want that.
    ///
    /// - Parameters:
    ///   - policy: What is wanted.
    ///   - radio: The radio.
    ///   - beginner: Who begins.
    /// - Returns: What is done with each link; `nil` when that is left to the device.
    func protection(
        _ policy: EncryptionSettings.Policy, on radio: Radio, begunBy beginner: HubPairing.Beginner
    ) async -> LinkProtection? {
        guard policy != .off else { return nil }
        let (clock, feed) = (clock, feed)
        let fallback: @Sendable (Peer, BluetoothError) async -> Void = { peer, error in
            feed.publish(
                PairingFailed(peer, reason: "The link is not encrypted. \(error)"), at: clock.now())
        }
        return LinkProtection(
            await pairings.agent(begunBy: beginner, on: radio),
            secured: { peer, security in feed.publish(LinkSecured(peer, security), at: clock.now()) },
            fallback: policy == .preferred ? fallback : nil)
    }
}
