// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

// Typed from the document and the profile in Documentation/Protocols/nightlight.md, not from the sources that these tables judge.

@Suite("codes of the nightlight")
struct NightlightCodesTests {
    /// Spec: Documentation/Protocols/nightlight.md.
    static let uuids: [(BluetoothUUID, String)] = [
        (NightlightUUID.ledService, "7A5A0000-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.power, "7A5A0001-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.link, "7A5A0002-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.proof, "7A5A0003-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.ledColors[0], "7A5A0011-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.ledColors[1], "7A5A0012-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.ledColors[2], "7A5A0013-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.ledColors[3], "7A5A0014-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.buttonService, "7A5A0100-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.onTime, "3CF04BD7-6812-4934-A000-DA99E0E27494"),
        (NightlightUUID.dailyUsage, "5405D754-7055-4B8C-8153-05D87A3F8C26"),
        (NightlightUUID.deactivationTime, "683ED29F-AAB0-473F-A944-C22444B3ADDE"),
        (NightlightUUID.shakeMode, "CA22EE9A-90C3-4631-8761-947DF10F72D0"),
        (NightlightUUID.buttonColor, "7A5A0101-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.buttonEnabled, "7A5A0102-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.scheduleService, "7A5A0200-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.week, "7A5A0201-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.day, "7A5A0202-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.activeSource, "7A5A0203-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.childName, "7A5A0204-D04B-48EB-B3FA-32EB4F0FFAC4"),
        (NightlightUUID.batteryService, "180F"), (NightlightUUID.batteryLevel, "2A19"),
        (NightlightUUID.batteryStatus, "2BED"), (NightlightUUID.currentTimeService, "1805"),
        (NightlightUUID.currentTime, "2A2B"), (NightlightUUID.localTimeInformation, "2A0F"),
        (NightlightUUID.nextDSTChangeService, "1807"), (NightlightUUID.timeWithDST, "2A11"),
        (NightlightUUID.deviceInformationService, "180A"), (NightlightUUID.systemID, "2A23"),
        (NightlightUUID.modelNumber, "2A24"), (NightlightUUID.serialNumber, "2A25"),
        (NightlightUUID.firmwareRevision, "2A26"), (NightlightUUID.hardwareRevision, "2A27"),
        (NightlightUUID.softwareRevision, "2A28"),
    ]

    @Test("gives every item its UUID", arguments: uuids)
    func uuid(constant: BluetoothUUID, text: String) throws {
        #expect(constant == (try #require(BluetoothUUID(text))))
    }

    @Test("gives no UUID twice, and there are four LEDs")
    func distinct() {
        #expect(Set(Self.uuids.map(\.0)).count == Self.uuids.count)
        #expect(NightlightUUID.ledColors.count == 4)
    }

    static let refusals: [(NightlightErrorCode, UInt8)] = [
        (.wrongSize, 0x0D), (.badVersion, 0x80), (.badLength, 0x81), (.badDays, 0x82), (.overlap, 0x83),
        (.outOfRange, 0x84),
    ]

    @Test("gives every refusal its octet", arguments: refusals)
    func refusal(constant: NightlightErrorCode, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    static let sources: [(LightSource, UInt8, String)] = [
        (.off, 0, "off"), (.week, 1, "week"), (.day, 2, "day"), (.button, 3, "button"), (.proof, 4, "proof"),
    ]

    @Test("gives every source its octet and word", arguments: sources)
    func source(constant: LightSource, octet: UInt8, word: String) {
        #expect(constant.rawValue == octet)
        #expect(constant.keyword.description == word)
    }

    static let days: [(DayOfWeek, UInt8, String)] = [
        (.monday, 0x01, "mon"), (.tuesday, 0x02, "tue"), (.wednesday, 0x04, "wed"), (.thursday, 0x08, "thu"),
        (.friday, 0x10, "fri"), (.saturday, 0x20, "sat"), (.sunday, 0x40, "sun"),
    ]

    @Test("gives every day its bit and word", arguments: days)
    func day(constant: DayOfWeek, mask: UInt8, word: String) {
        #expect(DaySet(constant).rawValue == mask)
        #expect(constant.keyword.description == word)
    }

    /// Spec: GATT Specification Supplement, DST Offset.
    static let dst: [(DSTOffset, UInt8, Int32?)] = [
        (.standard, 0, 0), (.halfHour, 2, 1800), (.daylight, 4, 3600), (.doubleDaylight, 8, 7200),
        (.unknown, 255, nil),
    ]

    @Test("gives every DST offset its octet and seconds", arguments: dst)
    func dstOffset(constant: DSTOffset, octet: UInt8, seconds: Int32?) {
        #expect(constant.rawValue == octet)
        #expect(constant.seconds == seconds)
        #expect((UInt8.min...UInt8.max).count { DSTOffset(rawValue: $0).isValid } == Self.dst.count)
    }

    static let actions: [(ClockAction, String)] = [
        (.none, "none"), (.set, "set"), (.setAndReport, "set_and_report"), (.ask, "ask"),
    ]

    @Test("gives every clock action its word", arguments: actions)
    func action(constant: ClockAction, word: String) { #expect(constant.keyword.description == word) }

    @Test("keeps the profile's limits")
    func limits() {
        #expect(NightlightLimit.leds == 4)
        #expect(NightlightLimit.childName == 32)
        #expect(NightlightLimit.weekName == 24)
        #expect(NightlightLimit.groups == 7)
        #expect(NightlightLimit.periods == 6)
        #expect(NightlightLimit.days == 30)
        #expect(NightlightLimit.week == 1 + 1 + 24 + 1 + 7 * (2 + 6 * 9))
        #expect(NightlightLimit.proofSeconds == 60)
        #expect(ClockReading.silentLimit == 300)
        #expect(ClockReading.askLimit == 1800)
    }
}
