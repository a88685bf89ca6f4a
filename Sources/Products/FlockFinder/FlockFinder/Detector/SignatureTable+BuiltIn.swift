// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension SignatureTable {
    /// What is known of cameras and sensors on Bluetooth where nobody has given another table.
    ///
    /// It is made anew each time: whoever needs it keeps it.
    ///
    /// Spec: Documentation/Protocols/flockfinder.md, Signatures.
    public static var builtIn: SignatureTable {
        SignatureTable(
            known: cameras + sensors + prefixes + lookalikes, name: "lantern", version: "2026-11-23",
            threshold: 0.3)
    }

    // Where the entries come from.
    private static var firmware: WireText { "VirtuallyScott/flock-you, src/main.cpp" }
    private static var datasets: WireText { "colonelpanichacks/flock-you, datasets" }
    private static var ravens: WireText { "flock-you, datasets/raven_configurations.json" }
    private static var assigned: WireText { "Bluetooth SIG, Assigned Numbers" }

    private static var cameras: [Signature] {
        let battery = BluetoothUUID(high: 0xE8CC_BB38_9532_46A8, low: 0x9FE5_1814_DF17_2E6F)
        return [
            named("FS Ext Battery", .flockSafety, 0.85, "2025", firmware),
            named("*flock*", .flockSafety, 0.4, "2025", firmware),
            Signature(
                .service(battery), type: .flockSafety, weight: 0.85, version: "2026", source: datasets),
            Signature(.maker(0x09C8), type: .flockSafety, weight: 0.25, version: "2026", source: datasets),
            named("Penguin-##########", .penguin, 0.75, "2026", datasets),
            named("*penguin*", .penguin, 0.35, "2025", firmware),
            named("##########", .penguin, 0.25, "2026", datasets),
            Signature(.maker(0x09C8), type: .penguin, weight: 0.25, version: "2026", source: datasets),
            named("*pigvision*", .pigvision, 0.7, "2025", firmware),
        ].compactMap { $0 }
    }

    /// Raven has services of its own; its first firmware had only such as thermometers and satellite receivers have, too.
    private static var sensors: [Signature] {
        let own: [UInt16] = [0x3100, 0x3200, 0x3300, 0x3400, 0x3500]
        let shared: [(UInt16, Double)] = [(0x180A, 0.05), (0x1809, 0.15), (0x1819, 0.2)]
        return (own.map { ($0, 0.4) } + shared).map { short, weight in
            Signature(
                .service(BluetoothUUID(short)), type: .raven, weight: weight, version: "2025", source: ravens)
        }
    }

    /// The makers' own, and those of chips and modules: weak, for much else has these.
    private static var prefixes: [Signature] {
        let registry: WireText = "IEEE registry"
        let chips: [UInt64] = [
            0x70C94E, 0x3C9180, 0xD8F3BC, 0x803049, 0xB83532, 0x145AFC, 0x744CA1, 0x9C2F9D, 0xC03532,
            0x940853, 0xE4AAEA, 0xF46ADD, 0x24B2B9, 0x00F48D, 0xD03957, 0xE8D0FC, 0xE04F43, 0xB81EA4,
            0x700894, 0x588E81, 0xEC1BBD, 0x3C71BF, 0x5800E3, 0x9035EA, 0x5C93A2, 0x646E69, 0x4827EA,
            0xA4CF12, 0x040D84, 0xF082C0, 0x1C34F1, 0x385B44, 0x943469, 0xB4E3F9, 0x14B5CD, 0xE00AF6,
        ]
        return [
            prefix(0xB41E52, .flockSafety, 0.7, "2025", registry),
            prefix(0xD411D6, .raven, 0.6, "2026", datasets),
        ].compactMap { $0 } + chips.compactMap { prefix($0, .flockSafety, 0.15, "2026-07-04", datasets) }
    }

    /// Those that look for cameras, and what people carry.
    private static var lookalikes: [Signature] {
        let detectors: [BluetoothUUID] = [
            FlockFinderUUID.service,
            BluetoothUUID(high: 0xA1B2_C3D4_E5F6_7890, low: 0xABCD_EF01_2345_6789),
        ]
        let makers: [(UInt16, Double)] = [(0x004C, -0.8), (0x0006, -0.8), (0x0075, -0.6)]
        // Heart rate, cycling, fitness machines; keyboards and mice; what measures blood and weight.
        let services: [UInt16] = [
            0x180D, 0x1816, 0x1818, 0x1826, 0x1812, 0x1808, 0x1810, 0x1822, 0x181D,
        ]
        return [
            named("flockfinder*", nil, -0.95, "2025", firmware),
            named("flockyou*", nil, -0.95, "2026", datasets),
        ].compactMap { $0 }
            + detectors.map {
                Signature(.service($0), type: nil, weight: -0.9, version: "2025", source: firmware)
            }
            + makers.map {
                Signature(.maker($0), type: nil, weight: $1, version: "2026", source: assigned)
            }
            + services.map {
                Signature(
                    .service(BluetoothUUID($0)), type: nil, weight: -0.8, version: "2026", source: assigned)
            }
    }

    private static func named(
        _ shape: WireText, _ type: DetectionType?, _ weight: Double, _ version: WireText, _ source: WireText
    ) -> Signature? {
        NameShape(shape).map {
            Signature(.name($0), type: type, weight: weight, version: version, source: source)
        }
    }

    private static func prefix(
        _ octets: UInt64, _ type: DetectionType, _ weight: Double, _ version: WireText, _ source: WireText
    ) -> Signature? {
        AddressPrefix(octets, count: 3).map {
            Signature(.prefix($0), type: type, weight: weight, version: version, source: source)
        }
    }
}
