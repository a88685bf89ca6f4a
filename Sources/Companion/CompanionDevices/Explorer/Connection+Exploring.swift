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
    ///   - services: The device's services.
    /// - Returns: The attribute.
    /// - Throws: ``ExplorerFault`` when there is none, or more than one.
    package static func named(
        _ reference: AttributeReference, in services: [GATT.Service]
    ) throws(ExplorerFault) -> AttributeTarget {
        do throws(AttributeFault) { return try find(reference, in: services) } catch {
            throw .attribute(error)
        }
    }
}

extension Connection {
    /// Discovers the services and finds the attribute that a reference means.
    ///
    /// - Parameter reference: The reference.
    /// - Returns: The attribute.
    /// - Throws: ``ExplorerFault`` when there is none, or more than one; ``BluetoothError``.
    package func find(_ reference: AttributeReference) async throws -> AttributeTarget {
        try AttributeTarget.named(reference, in: try await discoverServices())
    }

    /// Writes a value and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - attribute: Where to.
    /// - Throws: ``ExplorerFault`` when it would be taken without an answer only; ``BluetoothError``.
    package func write(_ value: [UInt8], to attribute: AttributePart) async throws {
        do {
            try await write(value, to: ValueHandle(attribute.handle))
        } catch {
            guard case .refused = error, let properties = attribute.target?.characteristic?.properties,
                properties.contains(.writeWithoutResponse), !properties.contains(.write)
            else { throw error }
            throw ExplorerFault.onlyWithoutAnswer(error.description)
        }
    }

    /// Subscribes to a characteristic: to notifications if it has them, else to indications.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Throws: ``ExplorerFault`` when it sends none by itself, ``BluetoothError``.
    package func switchOn(_ characteristic: GATT.Characteristic) async throws {
        let kind: GATT.Subscription
        switch characteristic.properties {
        case let properties where properties.contains(.notify): kind = .notify
        case let properties where properties.contains(.indicate): kind = .indicate
        default: throw ExplorerFault.sendsNothing(characteristic.uuid)
        }
        do {
            try await subscribe(kind, to: characteristic)
        } catch BluetoothError.notOffered {
            throw ExplorerFault.noSwitch(characteristic.uuid)
        }
    }

    /// The values that a characteristic sends while they are looked at.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Returns: The values.
    /// - Throws: ``ExplorerFault`` when it sends none by itself, ``BluetoothError``.
    package func values(of characteristic: GATT.Characteristic) async throws -> NotificationStream {
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw ExplorerFault.sendsNothing(characteristic.uuid)
        }
        do {
            return try await notifications(of: characteristic)
        } catch .notOffered {
            throw ExplorerFault.noSwitch(characteristic.uuid)
        }
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
        case .mtu, .parameters, .phy, .dataLength: nil
        }
    }
}
