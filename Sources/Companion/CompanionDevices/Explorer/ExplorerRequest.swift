// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion

/// Something that a person asks an explorer for.
package enum ExplorerRequest: Hashable, Sendable {
    case connect(DeviceAddress?)
    case disconnect
    case scan(Seconds)
    case mtu(Int?)
    case securityLevel(String)
    case tree
    case primary(BluetoothUUID?)
    case included(ClosedRange<UInt16>)
    case characteristics(ClosedRange<UInt16>, BluetoothUUID?)
    case attributes(ClosedRange<UInt16>)
    case read(AttributeReference)
    case readByUUID(BluetoothUUID, ClosedRange<UInt16>)
    case write(AttributeReference, [UInt8], isAnswered: Bool)
    case watch(AttributeReference)
    case unwatch(AttributeReference?)
    case wait(Seconds, values: Int?)
    case help(ShellVerb?)
    case exit
}
