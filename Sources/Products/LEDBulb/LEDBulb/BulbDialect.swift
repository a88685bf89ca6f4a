// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The protocol of a family of bulbs: one row of the table ``all``.
///
/// A row has the places of the characteristics and a pattern for each message. The client and the device are
/// one machine each; whatever differs between bulbs stands in the row.
public struct BulbDialect: Hashable, Sendable {
    /// A characteristic and its service.
    public struct Place: Hashable, Sendable {
        /// The service.
        public var service: BluetoothUUID
        /// The characteristic.
        public var characteristic: BluetoothUUID

        init(_ service: UInt16, _ characteristic: UInt16) {
            self.service = BluetoothUUID(service)
            self.characteristic = BluetoothUUID(characteristic)
        }

        /// Finds the characteristic.
        ///
        /// - Parameters:
        ///   - services: What a device has.
        ///   - properties: What must be possible with the value: one of these is enough.
        /// - Returns: The characteristic; `nil` when the device lacks it.
        func find(in services: [GATT.Service], anyOf properties: GATT.Properties) -> GATT.Characteristic? {
            for service in services where service.uuid == self.service {
                for found in service.characteristics
                where found.uuid == characteristic && !found.properties.isDisjoint(with: properties) {
                    return found
                }
            }
            return nil
        }
    }

    /// The word for files, scripts and the command line.
    public let keyword: WireText
    /// The name for people.
    public let name: WireText
    /// What is written to.
    public let control: Place
    /// Whether a bulb's characteristics identify it; otherwise somebody has to name it.
    public let isFoundOut: Bool
    /// What may be done with it, on bulbs of ours.
    public let controlProperties: GATT.Properties
    /// The handle of its value where the source gives one.
    public let controlHandle: AttributeHandle?
    /// What notifies; `nil` when there is nothing.
    public let reports: Place?
    /// The name of bulbs of ours.
    public let deviceName: WireText
    /// The service that bulbs of ours advertise.
    public let advertisedService: BluetoothUUID

    /// A colour.
    let color: BulbPattern
    /// White light; `nil` when it is made of the three colours.
    let white: BulbPattern?
    /// Switching: the first is written, all are understood; none when darkness is a colour.
    let power: [BulbPattern]
    /// How bright; `nil` when that is only part of the colour.
    var brightness: BulbPattern?
    /// An effect; `nil` when there are none.
    let effect: BulbPattern?
    /// The codes of the effects.
    public let effects: ClosedRange<UInt8>?
    /// Asking for the state; `nil` when it cannot be asked for.
    let request: BulbPattern?
    /// The state.
    let state: BulbPattern?

    /// Whether commands are taken only once what notifies was subscribed to, though nobody understands it.
    var wantsListener = false

    /// The mode of a state of ours in which no effect plays; in one that comes every mode that is none of an effect means
    /// that.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Triones and Magic Blue.
    static let staticMode: UInt8 = 0x41

    /// Whether the state can be asked for.
    public var reportsState: Bool { request != nil && state != nil && reports != nil }
    /// Whether the bulb has white LEDs of their own, as far as the messages show.
    public var hasWhite: Bool { white != nil }
    /// Whether the speed of an effect can be said.
    public var hasSpeed: Bool { effect?.octets.contains(.speed) ?? false }
    /// Whether the brightness can be said alone.
    public var hasBrightness: Bool { brightness != nil }
    /// Whether the bulb can be switched off and on with its colour kept.
    public var hasPower: Bool { !power.isEmpty }

    /// Dialects are equal when their keywords are.
    public static func == (a: BulbDialect, b: BulbDialect) -> Bool { a.keyword == b.keyword }

    /// Hashes the keyword.
    ///
    /// - Parameter hasher: Where to.
    public func hash(into hasher: inout Hasher) { hasher.combine(keyword) }

    // MARK: Messages

    /// Encodes a command.
    ///
    /// - Parameter command: The command.
    /// - Returns: The octets; `nil` when the dialect has no such command.
    public func encode(_ command: BulbCommand) -> [UInt8]? {
        switch command {
        case .color(let color): return self.color.encode(BulbValues(color: color))
        case .white(let level):
            guard let white else { return color.encode(BulbValues(color: RGBColor(white: level))) }
            return white.encode(BulbValues(level: level))
        case .power(let isOn):
            guard let first = power.first else {
                return color.encode(BulbValues(color: isOn ? .white : .black))
            }
            return first.encode(BulbValues(isOn: isOn))
        case .brightness(let level): return brightness?.encode(BulbValues(level: level))
        case .effect(let wanted):
            guard let effects, effects.contains(wanted.code) else { return nil }
            return effect?.encode(BulbValues(mode: wanted.code, speed: wanted.speed))
        case .requestState: return request?.encode(BulbValues())
        }
    }

    /// Decodes a command; octets behind a whole message are not looked at, as apps send some there.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Errors.
    ///
    /// - Parameter message: The octets that were written.
    /// - Returns: The command; `nil` when it is none of this dialect.
    public func decode(_ message: [UInt8]) -> BulbCommand? {
        // All of them first, and then the longest message that they begin with.
        var length = message.count
        while length > 0 {
            if let command = decode(message, length: length) { return command }
            length -= 1
        }
        return nil
    }

    /// Decodes a command whose message has this many of the octets.
    private func decode(_ message: [UInt8], length: Int) -> BulbCommand? {
        func values(_ pattern: BulbPattern?) -> BulbValues? {
            guard let pattern, pattern.octets.count == length else { return nil }
            return pattern.decode(message)
        }
        if let found = values(color) { return .color(found.color) }
        if let found = values(white) { return .white(found.level) }
        if let found = values(brightness) { return .brightness(found.level) }
        for pattern in power {
            if let found = values(pattern) { return .power(found.isOn) }
        }
        if values(request) != nil { return .requestState }
        if let effects, let found = values(effect), effects.contains(found.mode) {
            return .effect(BulbEffect(code: found.mode, speed: found.speed))
        }
        return nil
    }

    /// Encodes a state.
    ///
    /// - Parameter state: The state.
    /// - Returns: The octets of the notification; `nil` when the dialect has no state.
    public func encode(_ state: BulbState) -> [UInt8]? {
        var values = BulbValues(isOn: state.isOn, mode: Self.staticMode)
        switch state.light {
        case .color(let color): values.color = color
        case .white(let level): values.level = level
        case .effect(let effect):
            values.mode = effect.code
            values.speed = effect.speed
        }
        return self.state?.encode(values)
    }

    /// Decodes a state.
    ///
    /// - Parameter message: The octets of a notification.
    /// - Returns: The state; `nil` when they are something else.
    public func decodeState(_ message: [UInt8]) -> BulbState? {
        guard let values = state?.decode(message) else { return nil }
        let light: BulbLight =
            if effects?.contains(values.mode) == true {
                .effect(BulbEffect(code: values.mode, speed: values.speed))
            } else if values.level > 0 {
                // White is said by its brightness alone; what the colours are then means nothing.
                .white(values.level)
            } else {
                .color(values.color)
            }
        return BulbState(isOn: values.isOn, light: light)
    }

    // MARK: Telling dialects apart

    /// Finds the characteristic that commands are written to.
    ///
    /// - Parameter services: What a device has.
    /// - Returns: The characteristic; `nil` when this is not the device's dialect.
    public func control(in services: [GATT.Service]) -> GATT.Characteristic? {
        control.find(in: services, anyOf: [.write, .writeWithoutResponse])
    }

    /// Finds the characteristic that notifies the state.
    ///
    /// - Parameter services: What a device has.
    /// - Returns: The characteristic; `nil` when the device does not report its state.
    public func reports(in services: [GATT.Service]) -> GATT.Characteristic? {
        reportsState ? reports?.find(in: services, anyOf: [.notify, .indicate]) : nil
    }

    /// Finds the characteristic that has to be subscribed to, or reports the state.
    ///
    /// - Parameter services: What a device has.
    /// - Returns: The characteristic; `nil` when there is none.
    func listened(in services: [GATT.Service]) -> GATT.Characteristic? {
        wantsListener ? reports?.find(in: services, anyOf: [.notify, .indicate]) : reports(in: services)
    }

    /// The dialects that a device may speak, as its characteristics say.
    ///
    /// - Parameter services: What a device has.
    /// - Returns: The dialects, in the order of the table; more than one when that is not enough to decide.
    public static func spoken(by services: [GATT.Service]) -> [BulbDialect] {
        all.filter { $0.isFoundOut && $0.control(in: services) != nil }
    }

    /// Finds a dialect by its keyword.
    ///
    /// - Parameter keyword: The keyword.
    /// - Returns: The dialect; `nil` when there is none.
    public static func named(_ keyword: WireText) -> BulbDialect? { all.first { $0.keyword == keyword } }
}
