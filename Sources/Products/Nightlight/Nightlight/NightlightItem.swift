// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A value that a lamp has: what it is called on the air and what may be done with it.
///
/// Spec: Documentation/Protocols/nightlight.md, Services and characteristics.
public enum NightlightItem: UInt8, Hashable, Sendable, CaseIterable {
    /// Whether the LEDs have power.
    case ledPower
    /// Whether LEDs 2 to 4 follow LED 1.
    case ledLink
    /// Whether an app drives the LEDs.
    case ledProof
    /// The colour that LED 1 shows.
    case led1
    /// The colour that LED 2 shows.
    case led2
    /// The colour that LED 3 shows.
    case led3
    /// The colour that LED 4 shows.
    case led4
    /// How long the button's light is on.
    case buttonOnTime
    /// How many presses a day count.
    case buttonDailyUsage
    /// When the button does nothing.
    case buttonDeactivation
    /// Whether shaking alters the colours.
    case buttonShake
    /// The colour of the button's light.
    case buttonColor
    /// Whether the button does anything.
    case buttonEnabled
    /// The permanent schedule.
    case week
    /// The temporary schedule.
    case day
    /// What the LEDs show and why.
    case activeSource
    /// The child's name.
    case childName
    /// The battery's level.
    case batteryLevel
    /// Whether it is being charged.
    case batteryStatus
    /// The clock's time zone and DST offset.
    case localTimeInformation
    /// When DST changes next.
    case timeWithDST
    /// The system id.
    case systemID
    /// The model.
    case modelNumber
    /// The serial number.
    case serialNumber
    /// The version of the firmware.
    case firmwareRevision
    /// The version of the hardware.
    case hardwareRevision
    /// The version of the software.
    case softwareRevision
    /// The clock; last, so that a client that reads all in order has just read it when it is done.
    case currentTime

    /// The four LEDs, in order.
    public static let leds: [NightlightItem] = [.led1, .led2, .led3, .led4]

    /// What the value is called on the air.
    public var uuid: BluetoothUUID { row.uuid }

    /// The word for files and scripts.
    public var keyword: StaticString { row.keyword }

    /// What may be done with the value.
    public var properties: GATT.Properties { row.properties }

    /// The size of a value that always has the same, in octets.
    public var fixedSize: Int? { row.format.size }

    /// Whether the value belongs to the LED service.
    var isOfLEDs: Bool { row.service == NightlightUUID.ledService }

    /// Whether the value outlives a restart of the lamp.
    var isKept: Bool { row.isKept }
}
