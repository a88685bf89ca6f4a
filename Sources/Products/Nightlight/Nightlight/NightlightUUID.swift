// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The UUIDs of a Smart Nightlight.
///
/// Short numbers stand in the LED service's UUID. The four settings of the child button that the document gives
/// have UUIDs of their own.
///
/// Spec: Documentation/Protocols/nightlight.md, Services and characteristics.
public enum NightlightUUID {
    /// A UUID of the family `7A5Axxxx-D04B-48EB-B3FA-32EB4F0FFAC4`.
    ///
    /// - Parameter number: The short number, for example 0x0201.
    /// - Returns: The UUID.
    public static func own(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x7A5A_0000_D04B_48EB | UInt64(number) &<< 32, low: 0xB3FA_32EB_4F0F_FAC4)
    }

    /// The LEDs.
    public static let ledService = own(0x0000)
    /// Whether the LEDs have power; 0 or 1.
    public static let power = own(0x0001)
    /// Whether LEDs 2 to 4 follow LED 1; 0 or 1.
    public static let link = own(0x0002)
    /// Whether the app drives the LEDs; 0 or 1.
    public static let proof = own(0x0003)
    /// The colour of each of the four LEDs, three octets R, G, B.
    public static let ledColors = [own(0x0011), own(0x0012), own(0x0013), own(0x0014)]

    /// The child button.
    public static let buttonService = own(0x0100)
    /// The colour of the button's light, three octets R, G, B.
    public static let buttonColor = own(0x0101)
    /// Whether the button works; 0 or 1.
    public static let buttonEnabled = own(0x0102)
    /// How long the light stays on after a press, in seconds.
    public static let onTime = BluetoothUUID(high: 0x3CF0_4BD7_6812_4934, low: 0xA000_DA99_E0E2_7494)
    /// How many presses a day count; 0 off, 255 unlimited.
    public static let dailyUsage = BluetoothUUID(high: 0x5405_D754_7055_4B8C, low: 0x8153_05D8_7A3F_8C26)
    /// When the button does not work: two minutes of the day.
    public static let deactivationTime = BluetoothUUID(
        high: 0x683E_D29F_AAB0_473F, low: 0xA944_C224_44B3_ADDE)
    /// Whether shaking changes the colour; 0 or 1.
    public static let shakeMode = BluetoothUUID(high: 0xCA22_EE9A_90C3_4631, low: 0x8761_947D_F10F_72D0)

    /// The schedules.
    public static let scheduleService = own(0x0200)
    /// The week; ``WeekSchedule``.
    public static let week = own(0x0201)
    /// The schedule for a few days; ``DaySchedule``, or nothing.
    public static let day = own(0x0202)
    /// What shines and why; ``ActiveSource``, read and notify.
    public static let activeSource = own(0x0203)
    /// The child's name; empty is the factory's value.
    public static let childName = own(0x0204)

    /// Battery.
    public static let batteryService = BluetoothUUID(0x180F)
    /// «Battery Level», percent.
    public static let batteryLevel = BluetoothUUID(0x2A19)
    /// «Battery Level Status», which says whether it is being charged.
    public static let batteryStatus = BluetoothUUID(0x2BED)
    /// Current Time.
    public static let currentTimeService = BluetoothUUID(0x1805)
    /// «Current Time»; ``CurrentTime``.
    public static let currentTime = BluetoothUUID(0x2A2B)
    /// «Local Time Information»; ``LocalTimeInformation``.
    public static let localTimeInformation = BluetoothUUID(0x2A0F)
    /// Next DST Change.
    public static let nextDSTChangeService = BluetoothUUID(0x1807)
    /// «Time with DST»; ``TimeWithDST``.
    public static let timeWithDST = BluetoothUUID(0x2A11)
    /// Device Information.
    public static let deviceInformationService = BluetoothUUID(0x180A)
    /// «System ID», 8 octets.
    public static let systemID = BluetoothUUID(0x2A23)
    /// «Model Number String».
    public static let modelNumber = BluetoothUUID(0x2A24)
    /// «Serial Number String».
    public static let serialNumber = BluetoothUUID(0x2A25)
    /// «Firmware Revision String».
    public static let firmwareRevision = BluetoothUUID(0x2A26)
    /// «Hardware Revision String».
    public static let hardwareRevision = BluetoothUUID(0x2A27)
    /// «Software Revision String».
    public static let softwareRevision = BluetoothUUID(0x2A28)
}

/// The profile's limits.
///
/// Spec: Documentation/Protocols/nightlight.md.
public enum NightlightLimit {
    /// LEDs of a lamp.
    public static let leds = 4
    /// Octets of a child's name.
    public static let childName = 32
    /// Octets of a week's name.
    public static let weekName = 24
    /// Groups of days in a week, at least one.
    public static let groups = 7
    /// Periods of a day.
    public static let periods = 6
    /// Days that a day schedule can last, at least one.
    public static let days = 30
    /// Octets of the longest week.
    public static let week = 419
    /// Octets of a day schedule.
    public static let day = 57
    /// How long the app drives the LEDs after its last write, in seconds.
    public static let proofSeconds: UInt64 = 60
}

/// Why a lamp refuses a value, as the error code of ATT.
///
/// Spec: Documentation/Protocols/nightlight.md, Refusals.
public struct NightlightErrorCode: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A value of fixed size has another one: ATT's own «Invalid Attribute Value Length».
    public static let wrongSize = NightlightErrorCode(rawValue: 0x0D)
    /// The version is not 1.
    public static let badVersion = NightlightErrorCode(rawValue: 0x80)
    /// The octets do not add up.
    public static let badLength = NightlightErrorCode(rawValue: 0x81)
    /// The days of the groups are not each day of the week once.
    public static let badDays = NightlightErrorCode(rawValue: 0x82)
    /// Periods overlap.
    public static let overlap = NightlightErrorCode(rawValue: 0x83)
    /// A value is out of its range.
    public static let outOfRange = NightlightErrorCode(rawValue: 0x84)

    /// What a lamp answers to a value of fixed size that it cannot take.
    ///
    /// - Parameter error: What was wrong.
    public init(_ error: DecodeError) {
        switch error.reason {
        case .truncated, .trailing, .badLength: self = .wrongSize
        case .outOfRange, .unknownCode, .badText: self = .outOfRange
        }
    }
}
