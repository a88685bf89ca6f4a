// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Nightlight
import Testing

/// A lamp alone, on a clock of its own that a test drives.
final class Lamp {
    var device: NightlightDevice
    let database: GATT.Database
    var now = HostInstant.zero
    var events: [NightlightDeviceEvent] = []
    var sent: [(link: LinkID, handle: AttributeHandle, value: [UInt8])] = []
    /// What clients have switched on, as the server in front of the lamp knows it.
    private var switchedOn: Set<[UInt32]> = []

    static let app = LinkID(rawValue: 1)
    static let other = LinkID(rawValue: 2)

    init(_ settings: NightlightSettings = .factory, clock: ClockReading? = nil) {
        device = NightlightDevice(settings: settings, clock: clock)
        database = GATT.Database(device.services)
        now = HostInstant(microseconds: 5_000_000)
        device.start(handles: database.valueHandles, at: now)
        drain()
    }

    /// Lets time go by, with every deadline on the way.
    func run(seconds: Int) {
        let end = now.advanced(bySeconds: UInt64(seconds))
        while let deadline = device.nextDeadline, deadline <= end {
            now = max(now, deadline)
            device.deadlineReached(at: now)
            drain()
        }
        now = end
        // Whoever looks now gets what holds now.
        drain()
    }

    func run(minutes: Int) { run(seconds: minutes * 60) }

    func connect(_ link: LinkID = app, subscribes: Bool = true) {
        // Nobody connects the moment a lamp starts.
        run(seconds: 2)
        device.receive(
            .connected(link, Peer(BluetoothAddress(UInt64(link.rawValue), kind: .random))), at: now)
        if subscribes {
            for item in [NightlightItem.activeSource, .batteryLevel, .batteryStatus] {
                subscribe(link, to: item)
            }
        }
        drain()
    }

    /// Lets the server take a subscription, which the lamp learns at once or not yet.
    func subscribe(
        _ link: LinkID = app, to item: NightlightItem, _ subscription: GATT.Subscription = .notify,
        isReported: Bool = true
    ) {
        let place = [link.rawValue, UInt32(handle(item).rawValue)]
        if subscription.isEmpty { switchedOn.remove(place) } else { switchedOn.insert(place) }
        if isReported { device.receive(.subscribed(link, handle(item), subscription), at: now) }
    }

    func disconnect(_ link: LinkID = app) {
        switchedOn = switchedOn.filter { $0[0] != link.rawValue }
        device.receive(.disconnected(link), at: now)
        drain()
    }

    func handle(_ item: NightlightItem) -> AttributeHandle { database.valueHandle(of: item.uuid) ?? 0 }

    func read(_ item: NightlightItem) -> [UInt8] {
        defer { drain() }
        return (try? device.answerRead(of: handle(item), on: Self.app, at: now).get()) ?? [0xDE, 0xAD]
    }

    /// Writes octets; the error code, if there is one.
    @discardableResult
    func write(_ octets: [UInt8], to item: NightlightItem, on link: LinkID = app) -> UInt8? {
        defer { drain() }
        guard case .failure(let code) = device.answerWrite(of: octets, to: handle(item), on: link, at: now)
        else { return nil }
        return code.rawValue
    }

    @discardableResult
    func set(_ setting: NightlightSetting, on link: LinkID = app) -> UInt8? {
        write(setting.octets, to: setting.item, on: link)
    }

    func press() -> ButtonVerdict? {
        events = []
        device.press(at: now)
        drain()
        for case .pressed(let verdict) in events { return verdict }
        return nil
    }

    func shake() {
        device.shake(at: now)
        drain()
    }

    var source: ActiveSource {
        (try? ActiveSource(decoding: read(.activeSource)))
            ?? ActiveSource(.proof, .white, minutesToNextChange: 1)
    }

    /// Source, colour and minutes in one line.
    var shows: String {
        let source = source
        let minutes = source.minutesToNextChange.map { " \($0)" } ?? ""
        return "\(source.source.keyword) \(source.color.hex)\(minutes)"
    }

    var colors: [String] { device.display(at: now).colors.map(\.hex) }

    var time: LocalTime? { device.localTime(at: now) }

    /// The active sources that a link was told, as ``shows`` has them.
    func notified(_ link: LinkID = app) -> [String] {
        sent.filter { $0.link == link && $0.handle == handle(.activeSource) }.map { sent in
            guard let source = try? ActiveSource(decoding: sent.value) else { return "?" }
            return "\(source.source.keyword) \(source.color.hex)"
        }
    }

    func drain() {
        while let output = device.nextOutput() {
            switch output {
            case .send(let link, let handle, let value, _):
                guard switchedOn.contains([link.rawValue, UInt32(handle.rawValue)]) else { break }
                sent.append((link, handle, value))
            case .event(let event): events.append(event)
            case .advertisementChanged: break
            }
        }
    }
}

extension RGBColor {
    var hex: String { octets.hexadecimal }
}

/// What a clock shows: `2026-11-21 20:00`, in central European time unless said otherwise.
func reading(
    _ text: String, zone: Int8 = 4, dst: DSTOffset = .standard, next: TimeWithDST = .none
) throws -> ClockReading {
    ClockReading(time: try local(text), zone: LocalTimeInformation(zone: zone, dst: dst), next: next)
}

/// A date and a time as people write them.
func local(_ text: String) throws -> LocalTime {
    let parts = text.split { "- :".contains($0) }.compactMap { Int($0) }
    let date = try #require(CalendarDate(year: parts[0], month: parts[1], day: parts[2]))
    return try #require(
        LocalTime(date, hour: parts[3], minute: parts[4], second: parts.count > 5 ? parts[5] : 0))
}
