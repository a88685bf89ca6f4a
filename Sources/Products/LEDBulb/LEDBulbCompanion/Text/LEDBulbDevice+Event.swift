// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
import BLEGATT
import BLEWire
import Companion
public import CompanionText
public import LEDBulb
import ProductRegistry

extension LEDBulbDevice.Event {
    /// The event as people and programs get it.
    ///
    /// - Parameter dialect: What the bulb speaks.
    /// - Returns: The event.
    public func event(of dialect: BulbDialect) -> any EventText {
        switch self {
        case .connected(let link, let peer): return LinkConnected(link: link, peer)
        case .disconnected(let link): return LinkDisconnected(link: link)
        case .subscribed(let link, let handle, let subscription):
            let state = Self.attribute(handle, dialect.reports?.characteristic)
            if subscription.isEmpty { return ClientUnsubscribed(link, state) }
            return ClientSubscribed(
                link, state, notify: subscription.contains(.notify),
                indicate: subscription.contains(.indicate))
        case .written(let link, let handle, let octets, let command):
            return AttributeWritten(
                link, Self.attribute(handle, dialect.control.characteristic), octets,
                reason: command == nil ? "this bulb does not know it" : nil)
        case .shines(let state): return BulbShines(state)
        case .stateSent(let link, let state): return BulbStateSent(link, state)
        }
    }

    /// What a client uses, called as it is when somebody explores the bulb.
    private static func attribute(_ handle: AttributeHandle, _ uuid: BluetoothUUID?) -> ServedAttribute {
        ServedAttribute(handle, uuid, title: uuid.flatMap { UUIDNames.name(ofCharacteristic: $0) })
    }
}
#endif
