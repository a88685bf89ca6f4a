// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A value that a lamp has: what it is called on the air and what may be done with it.
///
/// Spec: design section 7.
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
    /// How full the battery is.
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
    public var uuid: BluetoothUUID {
        switch self {
        case .ledPower: NightlightUUID.power
        case .ledLink: NightlightUUID.link
        case .ledProof: NightlightUUID.proof
        case .led1: NightlightUUID.ledColors[0]
        case .led2: NightlightUUID.ledColors[1]
        case .led3: NightlightUUID.ledColors[2]
        case .led4: NightlightUUID.ledColors[3]
        case .buttonOnTime: NightlightUUID.onTime
        case .buttonDailyUsage: NightlightUUID.dailyUsage
        case .buttonDeactivation: NightlightUUID.deactivationTime
        case .buttonShake: NightlightUUID.shakeMode
        case .buttonColor: NightlightUUID.buttonColor
        case .buttonEnabled: NightlightUUID.buttonEnabled
        case .week: NightlightUUID.week
        case .day: NightlightUUID.day
        case .activeSource: NightlightUUID.activeSource
        case .childName: NightlightUUID.childName
        case .batteryLevel: NightlightUUID.batteryLevel
        case .batteryStatus: NightlightUUID.batteryStatus
        case .currentTime: NightlightUUID.currentTime
        case .localTimeInformation: NightlightUUID.localTimeInformation
        case .timeWithDST: NightlightUUID.timeWithDST
        case .systemID: NightlightUUID.systemID
        case .modelNumber: NightlightUUID.modelNumber
        case .serialNumber: NightlightUUID.serialNumber
        case .firmwareRevision: NightlightUUID.firmwareRevision
        case .hardwareRevision: NightlightUUID.hardwareRevision
        case .softwareRevision: NightlightUUID.softwareRevision
        }
    }

    /// The word for files and scripts.
    public var slug: StaticString {
        switch self {
        case .ledPower: "led_power"
        case .ledLink: "led_link"
        case .ledProof: "led_proof"
        case .led1: "led_1"
        case .led2: "led_2"
        case .led3: "led_3"
        case .led4: "led_4"
        case .buttonOnTime: "button_on_time"
        case .buttonDailyUsage: "button_daily_usage"
        case .buttonDeactivation: "button_deactivation"
        case .buttonShake: "button_shake"
        case .buttonColor: "button_color"
        case .buttonEnabled: "button_enabled"
        case .week: "week"
        case .day: "day"
        case .activeSource: "active_source"
        case .childName: "child_name"
        case .batteryLevel: "battery_level"
        case .batteryStatus: "battery_status"
        case .currentTime: "current_time"
        case .localTimeInformation: "local_time_information"
        case .timeWithDST: "time_with_dst"
        case .systemID: "system_id"
        case .modelNumber: "model_number"
        case .serialNumber: "serial_number"
        case .firmwareRevision: "firmware_revision"
        case .hardwareRevision: "hardware_revision"
        case .softwareRevision: "software_revision"
        }
    }

    /// What may be done with the value.
    public var properties: GATT.Properties {
        switch self {
        case .activeSource, .batteryLevel, .batteryStatus: [.read, .notify]
        case .systemID, .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision, .softwareRevision:
            .read
        default: [.read, .write]
        }
    }

    /// The size of a value that always has the same, in octets.
    public var fixedSize: Int? {
        switch self {
        case .ledPower, .ledLink, .ledProof, .buttonDailyUsage, .buttonShake, .buttonEnabled, .batteryLevel: 1
        case .buttonOnTime, .localTimeInformation: 2
        case .led1, .led2, .led3, .led4, .buttonColor: 3
        case .buttonDeactivation: 4
        case .activeSource: 6
        case .timeWithDST, .systemID: 8
        case .currentTime: 10
        case .week, .day, .childName, .batteryStatus, .modelNumber, .serialNumber, .firmwareRevision,
            .hardwareRevision, .softwareRevision:
            nil
        }
    }

    /// Whether the value belongs to the LED service.
    var isOfLEDs: Bool { rawValue <= NightlightItem.led4.rawValue }

    /// Whether the value outlives a restart of the lamp.
    var isKept: Bool {
        switch self {
        case .ledPower, .ledLink, .buttonOnTime, .buttonDailyUsage, .buttonDeactivation, .buttonShake,
            .buttonColor,
            .buttonEnabled, .week, .day, .childName:
            true
        default: false
        }
    }

    /// A characteristic whose value the device session has.
    private var delegated: GATT.CharacteristicDefinition {
        GATT.CharacteristicDefinition(uuid, properties, value: .delegated)
    }

    /// The services of a lamp, in the order of their handles.
    static var services: [GATT.ServiceDefinition] {
        func service(_ uuid: BluetoothUUID, _ items: [NightlightItem]) -> GATT.ServiceDefinition {
            GATT.ServiceDefinition(uuid, characteristics: items.map { $0.delegated })
        }
        return [
            service(
                NightlightUUID.ledService, [.ledPower, .ledLink, .ledProof, .led1, .led2, .led3, .led4]),
            service(
                NightlightUUID.buttonService,
                [
                    .buttonOnTime, .buttonDailyUsage, .buttonDeactivation, .buttonShake, .buttonColor,
                    .buttonEnabled,
                ]),
            service(NightlightUUID.scheduleService, [.week, .day, .activeSource, .childName]),
            service(NightlightUUID.batteryService, [.batteryLevel, .batteryStatus]),
            service(NightlightUUID.currentTimeService, [.currentTime, .localTimeInformation]),
            service(NightlightUUID.nextDSTChangeService, [.timeWithDST]),
            service(
                NightlightUUID.deviceInformationService,
                [
                    .systemID, .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision,
                    .softwareRevision,
                ]),
        ]
    }
}
