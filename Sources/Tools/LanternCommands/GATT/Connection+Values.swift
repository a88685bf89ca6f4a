// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BluetoothLE

extension GATT.Characteristic {
    /// Whether its values can be notified or indicated.
    var sendsByItself: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
}
extension Connection {
    /// Has a characteristic's values sent: notified if it can, else indicated.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Throws: ``CommandError`` when it sends none by itself, ``BluetoothError``.
    func switchOn(_ characteristic: GATT.Characteristic) async throws {
        let kind: GATT.Subscription
        switch characteristic.properties {
        case let properties where properties.contains(.notify): kind = .notify
        case let properties where properties.contains(.indicate): kind = .indicate
        default:
            throw CommandError.wrongUsage(
                "\(characteristic.uuid) neither notifies nor indicates.")
        }
        do {
            try await subscribe(kind, to: characteristic)
        } catch BluetoothError.notOffered {
            throw CommandError.failed("\(characteristic.uuid) has no descriptor that switches it on.")
        }
    }
}
