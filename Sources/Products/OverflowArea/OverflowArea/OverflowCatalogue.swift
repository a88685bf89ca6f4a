// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A service that is known by name.
public struct KnownService: Sendable {
    /// The service.
    public let uuid: BluetoothUUID
    /// What it is called.
    public let name: StaticString
    /// The bit that it sets.
    public let bit: OverflowBit

    init(_ uuid: BluetoothUUID, _ name: StaticString) {
        self.uuid = uuid
        self.name = name
        bit = OverflowBit(of: uuid)
    }

    init(_ short: UInt16, _ name: StaticString) { self.init(BluetoothUUID(short), name) }

    init(_ high: UInt64, _ low: UInt64, _ name: StaticString) {
        self.init(BluetoothUUID(high: high, low: low), name)
    }
}

/// Known services with the bits that they set, so that a map can be explained.
///
/// A bit says that one of its services may be there, or one that nobody here knows of.
public enum OverflowCatalogue {
    /// A bit and who may have set it.
    public struct Candidates: Sendable {
        /// The bit.
        public let bit: OverflowBit
        /// The known services that set it; none when nobody is known to use it.
        public let services: [KnownService]
    }

    /// Who may have set the bits of a map.
    ///
    /// - Parameter map: The map.
    /// - Returns: The candidates for each bit that is set, in ascending order.
    public static func candidates(for map: OverflowMap) -> [Candidates] {
        var found: [Candidates] = []
        for bit in map { found.append(Candidates(bit: bit, services: services(setting: bit))) }
        return found
    }

    /// The known services that set a bit.
    ///
    /// - Parameter bit: The bit.
    /// - Returns: The services; several collide, none is free as far as is known.
    public static func services(setting bit: OverflowBit) -> [KnownService] {
        services.filter { $0.bit == bit }
    }

    /// The bits that several known services set, with the services.
    public static var collisions: [Candidates] {
        candidates(for: usedBits).filter { $0.services.count > 1 }
    }

    /// The bits that some known service sets.
    public static var usedBits: OverflowMap {
        var map = OverflowMap()
        for service in services { map.insert(service.bit) }
        return map
    }

    /// The bits that nobody is known to use.
    public static var freeBits: OverflowMap { OverflowMap(low: .max, high: .max).subtracting(usedBits) }

    /// All services of the catalogue.
    public static let services: [KnownService] = [
        // The products that this package supports.
        KnownService(0x4FAF_C201_1FB5_459E, 0x8FCC_C5C9_C331_914B, "FlockFinder or WiFiSet"),
        KnownService(0xA1B2_C3D4_E5F6_7890, 0xABCD_EF01_2345_6789, "flock-you"),
        KnownService(0x7A5A_0000_D04B_48EB, 0xB3FA_32EB_4F0F_FAC4, "Nightlight LED"),
        KnownService(0x7A5A_0100_D04B_48EB, 0xB3FA_32EB_4F0F_FAC4, "Nightlight Child Button"),
        KnownService(0x7A5A_0200_D04B_48EB, 0xB3FA_32EB_4F0F_FAC4, "Nightlight Schedule"),
        KnownService(0x1802, "Immediate Alert or Colorific bulb"),
        KnownService(0xFFD5, "Triones bulb"),
        KnownService(0xFFE5, "Magic Blue bulb"),
        KnownService(0xFFF0, "ELK-BLEDOM strip"),
        // Apple's.
        KnownService(0x9AA4_730F_B25C_4CC3, 0xB821_C931_559F_C196, "Apple Watch set-up"),
        KnownService(0x7905_F431_B5CE_4E99, 0xA40F_4B1E_122D_00D0, "Apple Notification Center"),
        KnownService(0x89D3_502B_0F36_433A, 0x8EF4_C502_AD55_F8DC, "Apple Media"),
        KnownService(0xD061_1E78_BBB4_4591, 0xA5F8_4879_10AE_4366, "Apple Continuity"),
        KnownService(0x9FA4_80E0_4967_4542, 0x9390_D343_DC5D_04AE, "Apple Nearby"),
        KnownService(0x03B8_0E5A_EDE8_4B33, 0xA751_6CE3_4EC4_C700, "MIDI over Bluetooth LE"),
        // Apps that tell of contacts.
        KnownService(0xFD6F, "Exposure Notification"),
        KnownService(0xC1F5_983C_FA94_4AC8, 0x8E2E_BB86_D6DE_9B21, "NHS COVID-19 app (2020)"),
        KnownService(0xB82A_B3FC_1595_4F6A, 0x80F0_FE09_4CC2_18F9, "TraceTogether or COVIDSafe"),
        KnownService(0x4281_32AF_4746_42D3, 0x801E_4572_D65B_FD9B, "Herald"),
        KnownService(0xF47B_5E2D_4A9E_4C5A, 0x9B3F_8E1D_2C3A_4B5C, "bitchat"),
        KnownService(0xF47B_5E2D_4A9E_4C5A, 0x9B3F_8E1D_2C3A_4B5A, "bitchat test network"),
        // Setting devices up.
        KnownService(0x0046_7768_6228_2272, 0x4663_2774_7826_8000, "Improv Wi-Fi"),
        KnownService(0x021A_9004_0382_4AEA, 0xBFF4_6B3F_1C5A_DFB4, "Espressif provisioning"),
        KnownService(0xFFFF, "Espressif provisioning (old)"),
        KnownService(0xFFF6, "Matter"),
        KnownService(0x1827, "Mesh Provisioning"),
        KnownService(0x1828, "Mesh Proxy"),
        KnownService(0xFE2C, "Google Fast Pair"),
        // Chips and their makers.
        KnownService(0x6E40_0001_B5A3_F393, 0xE0A9_E50E_24DC_CA9E, "Nordic UART"),
        KnownService(0x0000_1530_1212_EFDE, 0x1523_785F_EABC_D123, "Nordic legacy DFU"),
        KnownService(0x0000_1523_1212_EFDE, 0x1523_785F_EABC_D123, "Nordic LED Button"),
        KnownService(0xFE59, "Nordic Secure DFU"),
        KnownService(0x8D53_DC1D_1DB7_4CD3, 0x868B_8A52_7460_AA84, "MCUmgr SMP"),
        KnownService(0xFFE0, "HM-10 serial module"),
        KnownService(0x6BA1_B218_15A8_461F, 0x9FA8_5DCA_E273_EAFD, "Meshtastic"),
        // Beacons and tags.
        KnownService(0xFEAA, "Eddystone or Find My Device"),
        KnownService(0xFEED, "Tile"),
        KnownService(0xFD5A, "Samsung SmartTag"),
        KnownService(0xFCD2, "BTHome"),
        KnownService(0xFE95, "Xiaomi MiBeacon"),
        // Standard services that apps advertise.
        KnownService(0x1805, "Current Time"),
        KnownService(0x180A, "Device Information"),
        KnownService(0x180D, "Heart Rate"),
        KnownService(0x180F, "Battery"),
        KnownService(0x1812, "Human Interface Device"),
        KnownService(0x1816, "Cycling Speed and Cadence"),
        KnownService(0x1818, "Cycling Power"),
        KnownService(0x181A, "Environmental Sensing"),
        KnownService(0x1826, "Fitness Machine"),
    ]
}
