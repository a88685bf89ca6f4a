// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// An invented drive past cameras of many makes, the same for the same seed, without an end.
///
/// The car goes 14 m/s. Cameras stand 30 to 110 m apart beside the road; one that is near enough is noticed
/// every few seconds, stronger and weaker as the car comes and goes.
struct CameraRoute {
    /// Time between looks at what is near, in milliseconds.
    static let period: UInt64 = 800
    /// Metres that the car goes from one look to the next.
    private static let step = 11
    /// How far away a camera is noticed, in metres.
    private static let range = 75
    /// Looks until the same camera is noticed again.
    private static let repetition = 3

    private struct Camera {
        var place: Int
        var distanceFromRoad: Int
        var make: Make
        var serial: UInt64
        var nextLook = 0

        /// The square of the distance to the car, in square metres.
        func squaredDistance(from place: Int) -> Int {
            let along = self.place - place
            return along * along + distanceFromRoad * distanceFromRoad
        }
    }

    private struct Make {
        let type: DetectionType
        /// The first three octets of the address.
        let vendor: UInt64
        /// The name up to the serial number; `nil` when there is no name.
        let name: WireText?
        /// Heard over Bluetooth, not Wi-Fi.
        var isBluetooth = false
    }

    private static let makes: [Make] = [
        Make(type: .flockSafety, vendor: 0x588E81, name: "Flock-"),
        Make(type: .flockSafety, vendor: 0xEC1BBD, name: "FS Ext Battery", isBluetooth: true),
        Make(type: .flockSafety, vendor: 0x3C71BF, name: "FLOCK-S3-"),
        Make(type: .ring, vendor: 0xA483E7, name: "Ring-"),
        Make(type: .verkada, vendor: 0xE0A700, name: "Verkada-"),
        Make(type: .hikvision, vendor: 0x4CBD8F, name: "HIK-"),
        Make(type: .dahua, vendor: 0x3CEF8C, name: "DAP-"),
        Make(type: .axis, vendor: 0xACCC8E, name: "axis-"),
        Make(type: .reolink, vendor: 0xEC71DB, name: "Reolink-"),
        Make(type: .lorex, vendor: 0x001F54, name: "LOREX-"),
        Make(type: .nest, vendor: 0x18B430, name: "Nest-"),
        Make(type: .arlo, vendor: 0x486264, name: "NETGEAR-ARLO-"),
        Make(type: .wyze, vendor: 0x2CAA8E, name: "WYZE_"),
        Make(type: .eufy, vendor: 0x8C8580, name: "eufy-"),
        Make(type: .penguin, vendor: 0xCC0924, name: "Penguin-", isBluetooth: true),
        Make(type: .pigvision, vendor: 0x9035EA, name: "Pigvision"),
        Make(type: .raven, vendor: 0x040D84, name: "", isBluetooth: true),
        Make(type: .unknown, vendor: 0x0023A7, name: "unknown"),
    ]

    private var random: SplitMix64
    private var look = 0
    private var nextPlace = 30
    private var cameras: [Camera] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Drives on to the next look.
    ///
    /// - Parameter uptime: The device's clock, in milliseconds since it was switched on.
    /// - Returns: The strongest camera that is due, if one is near.
    mutating func next(uptime: Int64) -> Detection? {
        look += 1
        let place = look * Self.step
        cameras.removeAll { $0.place + Self.range < place }
        while nextPlace <= place + Self.range { build() }
        var best: Int?
        for (index, camera) in cameras.enumerated() where camera.nextLook <= look {
            let distance = camera.squaredDistance(from: place)
            guard distance <= Self.range * Self.range else { continue }
            if let best, cameras[best].squaredDistance(from: place) <= distance { continue }
            best = index
        }
        guard let best else { return nil }
        cameras[best].nextLook = look + Self.repetition
        return detection(of: cameras[best], from: place, uptime: uptime)
    }

    private mutating func build() {
        let make = Self.makes[random.below(Self.makes.count)]
        cameras.append(
            Camera(
                place: nextPlace, distanceFromRoad: 3 + random.below(25), make: make,
                serial: UInt64(random.below(0x100_0000))))
        nextPlace += 30 + random.below(81)
    }

    private mutating func detection(of camera: Camera, from place: Int, uptime: Int64) -> Detection {
        var name = camera.make.name
        // Names that end with a separator go on with the end of the address, like real ones.
        if let last = name?.octets.last, last == UInt8(ascii: "-") || last == UInt8(ascii: "_") {
            for shift in stride(from: 20 as UInt64, through: 0, by: -4) {
                let nibble = UInt8(truncatingIfNeeded: camera.serial >> shift & 15)
                name?.octets.append(nibble < 10 ? 0x30 + nibble : 0x37 + nibble)
            }
        }
        let fading = random.below(7) - 3
        let loss = Self.pathLoss(squaredDistance: camera.squaredDistance(from: place))
        return Detection(
            type: camera.make.type,
            label: WireText(stringLiteral: camera.make.type.label),
            mac: camera.make.vendor << 24 | camera.serial,
            ssid: name,
            rssi: max(-98, min(-30, -34 - loss + fading)),
            confidence: camera.make.isBluetooth ? 0.85 : 0.9,
            ts: uptime)
    }

    /// About 27 dB for each factor of ten in distance, in dB, without floating point.
    static func pathLoss(squaredDistance: Int) -> Int {
        let value = UInt64(max(squaredDistance, 1))
        // The logarithm to the base of two in sixteenths: the exponent, then a straight line to the next.
        let exponent = 63 - value.leadingZeroBitCount
        let fraction = Int(((value - (1 << UInt64(exponent))) * 16) >> UInt64(exponent))
        return (exponent * 16 + fraction) * 65 / 256
    }
}
