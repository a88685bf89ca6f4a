// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How full a lamp's battery is and whether it is being charged.
public struct LampBattery: Hashable, Sendable {
    /// How full it is, in percent.
    public var percent: UInt8
    /// Whether it is being charged.
    public var isCharging: Bool

    /// Makes a state.
    ///
    /// - Parameters:
    ///   - percent: How full it is, 0 to 100; what is more counts as 100.
    ///   - isCharging: Whether it is being charged.
    public init(percent: UInt8, isCharging: Bool) {
        self.percent = min(percent, 100)
        self.isCharging = isCharging
    }

    /// The value of «Battery Level Status».
    var status: BatteryLevelStatus {
        BatteryLevelStatus(
            flags: BatteryLevelStatus.levelPresent,
            powerState: BatteryLevelStatus.batteryPresent
                | (isCharging ? BatteryLevelStatus.wiredPower | 1 << 5 : 2 << 5), level: percent)
    }
}

/// «Battery Level Status», as far as a lamp uses it.
///
/// | offset | size | field       | notes                                                                |
/// |--------|------|-------------|----------------------------------------------------------------------|
/// | 0      | 1    | flags       | bit 0 an identifier follows, bit 1 the level, bit 2 more status      |
/// | 1      | 2    | power state | bit 0 battery there, bits 1–2 wired power, bits 5–6 charging: 0 unknown, 1 yes, 2 and 3 no |
/// | 3      | 2    | identifier  | if flagged                                                           |
/// | …      | 1    | level       | if flagged, percent                                                  |
/// | …      | 1    | more status | if flagged                                                           |
///
/// Spec: Battery Service v1.1, 3.2; GATT Specification Supplement, 3.24.
public struct BatteryLevelStatus: Hashable, Sendable {
    static let identifierPresent: UInt8 = 0x01
    static let levelPresent: UInt8 = 0x02
    static let batteryPresent: UInt16 = 0x0001
    static let wiredPower: UInt16 = 0x0002

    /// What follows the power state.
    public var flags: UInt8
    /// The battery, its sources and whether it is being charged.
    public var powerState: UInt16
    /// The battery's level in percent, where the device says it.
    public var level: UInt8?

    init(flags: UInt8, powerState: UInt16, level: UInt8?) {
        self.flags = flags
        self.powerState = powerState
        self.level = level
    }

    /// Whether the battery is being charged; `nil` when the lamp does not know.
    public var isCharging: Bool? {
        switch powerState >> 5 & 3 {
        case 1: true
        case 2, 3: false
        default: nil
        }
    }

    /// Reads the value.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when octets are missing; what follows is left for later versions.
    public init(octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        flags = try reader.readUInt8()
        powerState = try reader.readUInt16()
        if flags & Self.identifierPresent != 0 { _ = try reader.readUInt16() }
        level = flags & Self.levelPresent != 0 ? try reader.readUInt8() : nil
    }

    /// The value's octets.
    public var octets: [UInt8] {
        var writer = ByteWriter(capacity: 4)
        writer.write(flags)
        writer.write(powerState)
        if let level { writer.write(level) }
        return writer.octets
    }
}
