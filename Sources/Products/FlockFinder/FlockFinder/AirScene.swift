// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// What a simulated device hears around it, as real firmware sends it on its live stream.
///
/// Every 500 ms the receiver goes to the next of channels 1 to 13 and may hear a frame there; every 5 s a
/// Bluetooth scan begins.
struct AirScene {
    /// Time between channels, in milliseconds.
    static let period: UInt64 = 500
    /// Channels between Bluetooth scans.
    private static let scanInterval = 10

    private struct Neighbour {
        let name: WireText
        let mac: UInt64
        let rssi: Int
    }

    private static let networks: [Neighbour] = [
        Neighbour(name: "(hidden)", mac: 0x3460_F9A1_0C42, rssi: -71),
        Neighbour(name: "Cafe Luna", mac: 0x9C3D_CF10_7723, rssi: -58),
        Neighbour(name: "FRITZ!Box 7590 QX", mac: 0x2C91_ABE0_5511, rssi: -83),
        Neighbour(name: "Flock-58A1C0", mac: 0x588E_8158_A1C0, rssi: -66),
        Neighbour(name: "linksys", mac: 0x0018_F8D4_0E9B, rssi: -77),
        Neighbour(name: "xfinitywifi", mac: 0x8A15_1439_F2C8, rssi: -88),
    ]
    private static let devices: [Neighbour] = [
        Neighbour(name: "FS Ext Battery", mac: 0xEC1B_BD03_7F21, rssi: -64),
        Neighbour(name: "Penguin-2231907", mac: 0xCC09_24B6_001D, rssi: -79),
        Neighbour(name: "", mac: 0x5A11_E2C0_93F4, rssi: -85),
        Neighbour(name: "LE-Bose QC", mac: 0x6CC7_ECD2_1108, rssi: -70),
    ]

    private var random: SplitMix64
    private var channel = 0
    private var hops = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Goes to the next channel.
    ///
    /// - Parameter uptime: The device's clock, in milliseconds since it was switched on.
    /// - Returns: Objects for the live stream.
    mutating func next(uptime: Int64) -> [[UInt8]] {
        channel = channel % 13 + 1
        hops += 1
        var objects: [[UInt8]] = []
        var hop = ObjectWriter()
        hop.member("evt", "channel")
        hop.member("ch", Int64(channel))
        hop.member("ts", uptime)
        objects.append(hop.finished())
        if random.below(4) > 0 { objects.append(frame(uptime)) }
        if hops % Self.scanInterval == 1 {
            var status = ObjectWriter()
            status.member("evt", "status")
            status.member("msg", "BLE scan starting")
            status.member("ts", uptime)
            objects.append(status.finished())
            for _ in 0...random.below(2) { objects.append(advertisement(uptime)) }
        }
        return objects
    }

    private mutating func frame(_ uptime: Int64) -> [UInt8] {
        let network = Self.networks[random.below(Self.networks.count)]
        var writer = ObjectWriter()
        writer.member("evt", "wifi_scan")
        writer.member("ssid", network.name)
        writer.member("mac", mac: network.mac)
        writer.member("rssi", Int64(network.rssi + random.below(9) - 4))
        writer.member("ch", Int64(channel))
        writer.member("type", random.below(3) == 0 ? "probe" : "beacon")
        writer.member("ts", uptime)
        return writer.finished()
    }

    private mutating func advertisement(_ uptime: Int64) -> [UInt8] {
        let device = Self.devices[random.below(Self.devices.count)]
        var writer = ObjectWriter()
        writer.member("evt", "ble_scan")
        writer.member("name", device.name)
        writer.member("mac", mac: device.mac)
        writer.member("rssi", Int64(device.rssi + random.below(9) - 4))
        writer.member("svc", random.below(2) == 0)
        writer.member("ts", uptime)
        return writer.finished()
    }
}
