// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
public import BLEGATT
public import BLEWire
import Companion
public import OverflowArea

/// An app on an iPhone that advertises services, as iOS puts them on the air.
///
/// In the background all of them go into the overflow area. In the foreground one goes out as a service UUID, so
/// that its bit is missing (iOS does not say which one; here it is the first), the others into the overflow area,
/// with the name in the scan response. A payload is sent as the services whose bits make it, as the demo app does.
///
/// Spec: Documentation/Protocols/overflow-area.md.
public struct PhoneApp: DeviceSession, Sendable {
    /// What the app reports.
    public enum Event: Hashable, Sendable {
        /// It is in the background with this map.
        case background(OverflowMap)
        /// It is in the foreground: the service that is named, and the map of the others, if there are others.
        case foreground(BluetoothUUID?, OverflowMap?)
        /// A central has connected.
        case connected(LinkID, Peer)
        /// A central has gone.
        case disconnected(LinkID)
    }

    /// The services of the app, which centrals find when they connect.
    public let uuids: [BluetoothUUID]
    private var message: OverflowSender?
    private let foregroundEvery: UInt64?
    private var isForeground = false
    private var nextChange: HostInstant?
    private var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes an app that begins in the background.
    ///
    /// - Parameters:
    ///   - uuids: Its services.
    ///   - payload: What it says by codec `v1`, if anything.
    ///   - foregroundEvery: It comes to the foreground once in so many milliseconds, at least 2, and stays there for
    ///     the second half of them; `nil` for never.
    public init(
        uuids: [BluetoothUUID] = [], payload: OverflowPayload? = nil, foregroundEvery: UInt64? = nil
    ) {
        self.uuids = uuids
        message = payload.map { OverflowSender(.payload($0, .v1)) }
        self.foregroundEvery = foregroundEvery.map { max(2, $0) }
    }

    /// One empty service for each of ``uuids``.
    public var services: [GATT.ServiceDefinition] {
        uuids.map { GATT.ServiceDefinition($0, characteristics: []) }
    }

    /// The phone's name.
    public var name: WireText { "iPhone" }

    /// Generic phone.
    ///
    /// Spec: Assigned Numbers, 2.6.3.
    public var appearance: UInt16 { 0x0040 }

    /// What iOS makes of the services that are advertised at the moment.
    public var advertisement: DeviceAdvertisement {
        let all = advertised
        guard isForeground else {
            return DeviceAdvertisement(data: OverflowMap(services: all).advertisingData, scanResponse: [])
        }
        var data = AdvertisingDataBuilder()
        var response = AdvertisingDataBuilder()
        let rest = OverflowMap(services: Array(all.dropFirst()))
        // Each fits by itself; the map goes to the scan response when it does not fit behind the UUID.
        try? data.appendFlags(AdvertisingFlags(rawValue: 0x1A))
        try? data.appendServices(Array(all.prefix(1)))
        if !rest.isEmpty {
            do throws(AdvertisingDataBuilder.Overflow) {
                try data.append(rest.manufacturerData)
            } catch {
                try? response.append(rest.manufacturerData)
            }
        }
        try? response.appendName(name)
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets)
    }

    /// What the app advertises: its services, and those that make its message.
    private var advertised: [BluetoothUUID] { uuids + (message?.transmission.uuids ?? []) }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { HostInstant.earliest(message?.nextDeadline, nextChange) }

    /// Starts in the background.
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        message?.start(at: now)
        _ = message?.nextOutput()
        if let foregroundEvery { nextChange = now.advanced(byMilliseconds: foregroundEvery / 2) }
        report()
    }

    /// Takes in that a central comes or goes.
    public mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let link, let peer): outputs.append(.event(.connected(link, peer)))
        case .disconnected(let link): outputs.append(.event(.disconnected(link)))
        case .mtuChanged, .subscribed: break
        }
    }

    /// Refuses: nothing of it is delegated.
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { throw .readNotPermitted }

    /// Refuses: nothing of it is delegated.
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    /// Moves the message, or goes to the foreground or back.
    public mutating func deadlineReached(at now: HostInstant) {
        var hasChanged = false
        if let due = message?.nextDeadline, due <= now {
            message?.deadlineReached(at: now)
            hasChanged = message?.nextOutput() != nil
        }
        if let due = nextChange, due <= now, let foregroundEvery {
            isForeground.toggle()
            nextChange = now.advanced(byMilliseconds: foregroundEvery / 2)
            hasChanged = true
        }
        guard hasChanged else { return }
        outputs.append(.advertisementChanged)
        report()
    }

    /// The next output.
    public mutating func nextOutput() -> DeviceOutput<Event>? { outputs.popFirst() }

    private mutating func report() {
        let all = advertised
        guard isForeground else {
            outputs.append(.event(.background(OverflowMap(services: all))))
            return
        }
        let rest = OverflowMap(services: Array(all.dropFirst()))
        outputs.append(.event(.foreground(all.first, rest.isEmpty ? nil : rest)))
    }
}
