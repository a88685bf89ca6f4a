// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
import BLEWire
package import BluetoothLE
package import Companion

extension AttributeTarget {
    /// Finds the attribute that a reference means.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - found: The device's services.
    ///   - use: What is to be done with it.
    /// - Returns: The attribute.
    /// - Throws: ``ExplorerError`` when there is none, or more than one.
    package static func named(
        _ reference: AttributeReference, in found: GATT.FoundServices, for use: AttributeUse
    ) throws(ExplorerError) -> AttributeTarget {
        do throws(AttributeTargetError) { return try find(reference, in: found.services, for: use) } catch {
            guard case .missing = error, let fault = found.faults.first else { throw .attribute(error) }
            throw .incomplete(error, fault.sentencePart)
        }
    }
}

extension Connection {
    /// Finds the attribute that a reference means; for a handle the services need not be known, but to listen to it.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - use: What is to be done with it.
    /// - Returns: The attribute.
    /// - Throws: ``ExplorerError`` when there is none, or more than one; ``BluetoothError``.
    package func find(
        _ reference: AttributeReference, for use: AttributeUse
    ) async throws -> AttributeJSON {
        if case .handle(let handle) = reference, use != .watch { return AttributeJSON(handle, nil) }
        let found = try await findServicesFirst()
        return AttributeJSON(try AttributeTarget.named(reference, in: found, for: use))
    }

    /// What an attribute is that was named by its handle alone, or whose UUID has no name, if the device tells that soon.
    ///
    /// - Parameter attribute: The attribute.
    /// - Returns: The same, with what it is.
    package func describe(_ attribute: AttributeJSON) async -> AttributeJSON {
        if var target = attribute.target {
            for descriptor in target.sayingMore {
                let octets = try? await TimeLimit.run(.seconds(2), on: nil) {
                    try await self.read(descriptor)
                }
                if let octets { target.take(octets, of: descriptor) }
            }
            return AttributeJSON(attribute.handle, target)
        }
        let handle = attribute.handle
        // What it is called is worth less than its value, which is known already.
        let target = try? await TimeLimit.run(.seconds(2), on: nil) { () -> AttributeTarget? in
            do {
                return .typed(try await self.attributeType(at: handle), at: handle)
            } catch BluetoothError.unsupported {
                return AttributeTarget.all(in: try await self.discoverServices()).first {
                    $0.handle == handle
                }
            }
        }
        return AttributeJSON(handle, target ?? nil)
    }

    /// Reads a value, or as much of it as there is to be had.
    ///
    /// - Parameter attribute: Where from.
    /// - Returns: The value, or its first part.
    /// - Throws: ``ExplorerError`` when there is nothing at a handle; ``BluetoothError``.
    package func read(_ attribute: AttributeJSON) async throws -> ReadValue {
        do {
            return try await readAsFarAsPossible(attribute.handle)
        } catch BluetoothError.refused(.invalidHandle) where attribute.target == nil {
            throw ExplorerError.attribute(await nothing(at: attribute.handle))
        }
    }

    /// That there is nothing at a handle, and whether its number is a UUID of the device's, if the device tells that soon.
    private func nothing(at handle: AttributeHandle) async -> AttributeTargetError {
        let found = try? await TimeLimit.run(.seconds(5), on: nil) { try await self.findServices() }
        return AttributeTargetError(nothingAt: handle, in: found?.services ?? [])
    }

    /// Writes a value and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - attribute: Where to.
    /// - Throws: ``ExplorerError`` when it would be taken without an answer only; ``BluetoothError``.
    package func write(_ value: [UInt8], to attribute: AttributeJSON) async throws {
        do {
            try await write(value, to: attribute.handle)
        } catch BluetoothError.refused(.invalidHandle) where attribute.target == nil {
            throw ExplorerError.attribute(await nothing(at: attribute.handle))
        } catch {
            guard case BluetoothError.refused = error, let properties = await properties(of: attribute),
                properties.contains(.writeWithoutResponse), !properties.contains(.write)
            else { throw error }
            throw ExplorerError.onlyWithoutAnswer(error.description)
        }
    }

    /// The properties of a characteristic's value, which may have been named by its handle alone.
    private func properties(of attribute: AttributeJSON) async -> GATT.Properties? {
        if let target = attribute.target { return target.characteristic?.properties }
        // The device's refusal is told in any case.
        let services = try? await discoverServices()
        return AttributeTarget.all(in: services ?? []).first { $0.handle == attribute.handle }?
            .characteristic?.properties
    }

    /// Subscribes to a characteristic: to notifications if it has them, else to indications.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Throws: ``ExplorerError`` when it sends none by itself, ``BluetoothError``.
    package func switchOn(_ characteristic: GATT.Characteristic) async throws {
        let kind: GATT.Subscription
        switch characteristic.properties {
        case let properties where properties.contains(.notify): kind = .notify
        case let properties where properties.contains(.indicate): kind = .indicate
        default: throw ExplorerError.sendsNothing(characteristic.uuid)
        }
        try await subscribe(kind, to: characteristic)
    }

    /// The values that a characteristic sends while they are looked at.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Returns: The values.
    /// - Throws: ``ExplorerError`` when it sends none by itself, ``BluetoothError``.
    package func values(of characteristic: GATT.Characteristic) async throws -> NotificationStream {
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw ExplorerError.sendsNothing(characteristic.uuid)
        }
        return try await notifications(of: characteristic)
    }
}

extension ReadValue {
    /// Why there may be more, as part of a sentence; `nil` when this is all.
    package var incomplete: String? {
        switch cutShortBy {
        case nil: nil
        case .refused(let code)?: GATTRequestError.refused(code).incomplete
        case .servicesChanged?: GATTRequestError.refused(.databaseOutOfSync).incomplete
        case .timeout?: GATTRequestError.timeout.incomplete
        case .disconnected?: GATTRequestError.disconnected.incomplete
        default: GATTRequestError.badResponse.incomplete
        }
    }
}

extension GATT.Characteristic {
    /// Says that nothing switches it on, when that is so.
    ///
    /// - Parameter peer: The device.
    /// - Returns: The event; `nil` when there is a descriptor for that.
    package func configurationMissing(of peer: Peer) -> ConfigurationMissing? {
        clientConfigurationHandle == nil ? ConfigurationMissing(peer, AttributeJSON(.value(self))) : nil
    }
}

extension LinkChange {
    /// The event of a change that nothing else reports.
    ///
    /// - Parameter peer: The device.
    /// - Returns: The event; `nil` for changes that something else reports.
    package func event(of peer: Peer) -> (any Event)? {
        switch self {
        case .secured(let security): LinkSecured(peer, security)
        case .pairingFailed(let failure): PairingFailed(peer, reason: failure.sentence)
        case .bondNotKept(let sentence): PairingFailed(peer, reason: sentence)
        case .securityRefused: SecurityRefused(peer)
        case .malformedPDU(let octets): MalformedPDUReceived(peer, octets: octets)
        case .mtuUnanswered: MTUUnanswered(peer)
        case .mtu, .parameters, .phy, .dataLength: nil
        }
    }
}
