// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

private typealias U = NightlightUUID

extension NightlightItem {
    /// Who may do what with a value, and whether it outlives a restart of the lamp.
    enum Permission: Sendable {
        case read
        case notified
        case rw
        case kept
    }

    /// All there is to say of a value.
    struct Row: Sendable {
        let item: NightlightItem
        let service: BluetoothUUID
        let uuid: BluetoothUUID
        let keyword: StaticString
        let format: NightlightFormat
        let properties: GATT.Properties
        let isKept: Bool

        /// Not inlined: the table has one for each value.
        @inline(never)
        init(
            _ item: NightlightItem, _ service: BluetoothUUID, _ uuid: BluetoothUUID, _ keyword: StaticString,
            _ format: NightlightFormat, _ permission: Permission
        ) {
            self.item = item
            self.service = service
            self.uuid = uuid
            self.keyword = keyword
            self.format = format
            properties =
                switch permission {
                case .read: .read
                case .notified: [.read, .notify]
                case .rw, .kept: [.read, .write]
                }
            isKept = permission == .kept
        }
    }

    /// The table: every value of a lamp, in the order of the handles.
    ///
    /// Spec: Documentation/Protocols/nightlight.md, Services and characteristics.
    private static let table: [Row] = [
        Row(.ledPower, U.ledService, U.power, "led_power", .flag, .kept),
        Row(.ledLink, U.ledService, U.link, "led_link", .flag, .kept),
        Row(.ledProof, U.ledService, U.proof, "led_proof", .flag, .rw),
        Row(.led1, U.ledService, U.ledColors[0], "led_1", .color, .rw),
        Row(.led2, U.ledService, U.ledColors[1], "led_2", .color, .rw),
        Row(.led3, U.ledService, U.ledColors[2], "led_3", .color, .rw),
        Row(.led4, U.ledService, U.ledColors[3], "led_4", .color, .rw),
        Row(.buttonOnTime, U.buttonService, U.onTime, "button_on_time", .number16, .kept),
        Row(.buttonDailyUsage, U.buttonService, U.dailyUsage, "button_daily_usage", .number, .kept),
        Row(.buttonDeactivation, U.buttonService, U.deactivationTime, "button_deactivation", .window, .kept),
        Row(.buttonShake, U.buttonService, U.shakeMode, "button_shake", .flag, .kept),
        Row(.buttonColor, U.buttonService, U.buttonColor, "button_color", .color, .kept),
        Row(.buttonEnabled, U.buttonService, U.buttonEnabled, "button_enabled", .flag, .kept),
        Row(.week, U.scheduleService, U.week, "week", .week, .kept),
        Row(.day, U.scheduleService, U.day, "day", .day, .kept),
        Row(.activeSource, U.scheduleService, U.activeSource, "active_source", .source, .notified),
        Row(.childName, U.scheduleService, U.childName, "child_name", .text, .kept),
        Row(.batteryLevel, U.batteryService, U.batteryLevel, "battery_level", .percent, .notified),
        Row(.batteryStatus, U.batteryService, U.batteryStatus, "battery_status", .batteryStatus, .notified),
        Row(.currentTime, U.currentTimeService, U.currentTime, "current_time", .currentTime, .rw),
        Row(
            .localTimeInformation, U.currentTimeService, U.localTimeInformation, "local_time_information",
            .localTime, .rw),
        Row(.timeWithDST, U.nextDSTChangeService, U.timeWithDST, "time_with_dst", .timeWithDST, .rw),
        Row(.systemID, U.deviceInformationService, U.systemID, "system_id", .systemID, .read),
        Row(.modelNumber, U.deviceInformationService, U.modelNumber, "model_number", .text, .read),
        Row(.serialNumber, U.deviceInformationService, U.serialNumber, "serial_number", .text, .read),
        Row(
            .firmwareRevision, U.deviceInformationService, U.firmwareRevision, "firmware_revision", .text,
            .read),
        Row(
            .hardwareRevision, U.deviceInformationService, U.hardwareRevision, "hardware_revision", .text,
            .read),
        Row(
            .softwareRevision, U.deviceInformationService, U.softwareRevision, "software_revision", .text,
            .read),
    ]

    /// What the table says of the value.
    var row: Row {
        // Searched: sorting would cost a chip more than it saves.
        for row in Self.table where row.item == self { return row }
        // The table has every item: the first row is never taken for another one's.
        return Self.table[0]
    }

    /// The services of a lamp.
    static var services: [GATT.ServiceDefinition] {
        var services: [GATT.ServiceDefinition] = []
        for row in table {
            if services.last?.uuid != row.service {
                services.append(GATT.ServiceDefinition(row.service, characteristics: []))
            }
            // The device session has every value.
            services[services.count - 1].characteristics.append(
                GATT.CharacteristicDefinition(row.uuid, row.properties, value: .delegated))
        }
        return services
    }
}
