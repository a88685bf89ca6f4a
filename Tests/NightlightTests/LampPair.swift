// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Nightlight
import SessionTesting

typealias LampPair = SessionPair<NightlightClient, NightlightDevice>

extension SessionPair where Client == NightlightClient, Device == NightlightDevice {
    // The client does not find the values that are missing; after so many requests the link is lost before the answer.
    convenience init(
        _ settings: NightlightSettings = .factory, clock: ClockReading? = nil, reconnects: Bool = false,
        missing: Set<NightlightItem> = [], losesAfter: Int? = nil
    ) {
        self.init(
            NightlightClient(options: .init(reconnects: reconnects)),
            NightlightDevice(settings: settings, clock: clock), mtu: 185,
            at: HostInstant(microseconds: 9_000_000))
        // All in one service that has another UUID: a client finds values in whatever service they are.
        services = { services in
            let gone = missing.map(\.uuid)
            return [
                GATT.Service(
                    uuid: BluetoothUUID(0xFFF0), handle: 1, endHandle: 0xFFFF,
                    characteristics: services.flatMap(\.characteristics).filter { !gone.contains($0.uuid) })
            ]
        }
        if let losesAfter { loseLink(afterRequests: losesAfter) }
        start()
    }

    var values: NightlightValues { client.values }

    var isReady: Bool { events.contains { if case .ready = $0 { true } else { false } } }

    /// What the client has asked of the lamp, in order.
    var asked: [ClientRequest] { requests.map(\.request) }

    func set(_ setting: NightlightSetting) { update { client, now in client.set(setting, at: now) } }

    func handle(_ item: NightlightItem) -> AttributeHandle { handle(of: item.uuid) ?? 0 }

    /// Loses the link once, before the answer to the request that is so many requests ahead.
    func loseLink(afterRequests count: Int) {
        let last = requests.count + count
        fate = { [unowned self] _ in requests.count == last ? .linkLost : .carriedOut() }
    }

    /// Answers the reading of a value in place of the lamp.
    func answerReads(of item: NightlightItem, with result: Result<[UInt8], GATTRequestError>) {
        let handle = handle(item)
        fate = { $0 == .read(handle) ? .answered(result) : .carriedOut() }
    }
}
