// SPDX-License-Identifier: Apache-2.0

import Testing

/// What controllers that people have answer at start-up, in octets, from public captures.
///
/// Beside each stands its source, and what that does not hold: "Assumed" fields are what like controllers answer, or the values
/// below. Nobody's capture has the address, which is a device's own, unless it is said.
struct RealController: Sendable, CustomTestStringConvertible {
    let name: String
    /// Read Local Version Information: HCI version and revision, LMP version, maker, LMP subversion.
    let version: String
    /// Read Local Supported Features.
    let lmp: String
    /// Read Local Supported Commands, up to the last octet that is not zero.
    let commands: String
    /// LE Read Local Supported Features.
    var le = "0100000000000000"
    /// LE Read Buffer Size: length and number.
    var leBuffers = "1B00 0F"
    /// Read Buffer Size: ACL length, SCO length, ACL number, SCO number.
    var aclBuffers = "FD03 40 0800 0100"
    /// Read BD_ADDR, lowest octet first.
    var address = "665544332211"
    /// Commands that it takes at a time.
    var credits: UInt8 = 1
    /// Commands that it lists and refuses, each time.
    var refusals: [UInt16: UInt8] = [:]
    let expected: Expected

    struct Expected: Sendable {
        var isExtended = false
        var length = 27
        var packets = 15
        var isShared = false
        var isDualMode = true
        var hasAddress = true
        /// Whether it has no LE at all.
        var isClassicOnly = false
        var refused: [UInt16] = []
    }

    var testDescription: String { name }

    static let all: [RealController] = [
        // Capture of a Zephyr host on a dongle 0a12:0001 (read the docs of zephyr_polling); hciconfig of such a
        // dongle shows ACL 310:10, as does btmon of another (bluez issue 876). Assumed: that it has no LE buffers of its own,
        // LE features.
        RealController(
            name: "CSR8510 A10", version: "06 BB22 06 0A00 BB22", lmp: "FFFF8FFEDBFF5B87",
            commands: "FFFFFF03FEFFFFFFFFFFFFFFF30FE8FE3FF783FF1C00000061F7FFFF7F", leBuffers: "0000 00",
            aclBuffers: "3601 40 0A00 0800", expected: Expected(length: 310, packets: 10, isShared: true)),
        // Notes of a libusb client for the ASUS USB-BT400. Assumed: LE features, both buffers.
        RealController(
            name: "ASUS USB-BT400, BCM20702A0", version: "06 0010 06 0F00 0E22", lmp: "BFFECFFEDBFF7B87",
            commands: "FFFFFF03CCFFEFFFFFFFEC1FF20FE8FE3FF78FFF1C00000061F7FFFF7F", expected: Expected()),
        // Comments of a Windows driver for 5C:F3:70:64:79:CA; its address is the placeholder that Linux knows. Assumed: LE
        // features, both buffers.
        RealController(
            name: "BCM20702A0 without an address", version: "06 0010 06 0F00 0E22", lmp: "BFFECFFEDBFF7B87",
            commands: "FFFFFF03CCFFEFFFFFFFEC1FF20FE8FE3FF78FFF1C00040061F7FFFF7F", address: "00A002702000",
            expected: Expected(hasAddress: false)),
        // hcidump of a laptop, Ubuntu Forums, December 2015: "BCM4339 40 MHz USB Class 1". Assumed: both buffers.
        RealController(
            name: "Broadcom BCM4335C0", version: "07 7300 07 0F00 0963", lmp: "BFFECFFEDBFF7B87",
            commands: "FFFFFF03CCFFEFFFFFFFEC1FF20FE8FE3FF78FFF1C00040061F7FFFF7FF81F00FE3F",
            le: "0F00000000000000", expected: Expected()),
        // btstack issue 268; LE buffers: issue 161, ACL buffers: issue 202. Assumed: LE features.
        RealController(
            name: "Espressif ESP32", version: "08 0E03 08 6000 0E03", lmp: "FFFE8FFEDBFF5B87",
            commands: "BFFFFF03CCFFEFFF3FFFFC1FF20FE8FE3FF78FFF1C00040061F7FFFF7F38C0FF7FFFFF0F",
            le: "FF00000000000000", leBuffers: "FB00 0A", aclBuffers: "FD03 FF 0900 0400", credits: 5,
            expected: Expected(length: 251, packets: 10)),
        // btstack issue 587, whose log ends after 30 octets of the mask; that it has LE data length: pico-sdk issue 1465.
        // Assumed: the other LE features, both buffers.
        RealController(
            name: "Raspberry Pi Pico W, CYW43439", version: "0A 4C00 0A 0902 1C42", lmp: "BFFECFFEDBFF7B87",
            commands: "FFFFFF03CCFF0FFFFFFFFC1FF20FE8FE3FF78FFF1C00040061F7FFFF7FF8",
            le: "3F00000000000000", expected: Expected()),
        // btmon of two laptops (linux-bluetooth and linux-kernel archives, 2020), firmware 256 of 5.1. Assumed: ACL buffers.
        RealController(
            name: "Intel AX200/AX201", version: "0A 0001 0A 0200 0001", lmp: "BFFE0FFEDBFF7B87",
            commands: "FFFFFB03CCFFEFFFFF3FFC9FF30FE8FE3FF78FFF1C00040061F7FFFF7FB80000FEFFFFFFFFE380070008",
            le: "FF59000800000000", leBuffers: "FB00 03", credits: 2,
            expected: Expected(isExtended: true, length: 251, packets: 3)),
        // hciconfig in bluez issue 482 (a dongle of 2022); that it scans in the legacy way only while it has a link:
        // bluetooth-next pull request 133. Assumed: commands and LE features, the Intel's above; LE buffers.
        RealController(
            name: "Realtek RTL8761BU", version: "0A A909 0A 5D00 6B8A", lmp: "FFFFFFFEDBFD7B87",
            commands: "FFFFFB03CCFFEFFFFF3FFC9FF30FE8FE3FF78FFF1C00040061F7FFFF7FB80000FEFFFFFFFFE380070008",
            le: "FF59000800000000", leBuffers: "FB00 08", aclBuffers: "FD03 FF 0600 0C00", credits: 2,
            expected: Expected(length: 251, packets: 8)),
        // Zijun Hu, linux-bluetooth, April 2022. Assumed: LE features, both buffers.
        RealController(
            name: "Qualcomm WCN6855", version: "0C 0000 0C 1D00 0000", lmp: "FFFE0FFED83F5B87",
            commands:
                "FFFFFB03CEFFEFFFFFFFFF1FF20FE8FE3FF78FFF1C00040061FFFFFF7FBE20F5FFF0FFFFFFFFFFFFFFEFFFFFFFFF03",
            le: "FF79000800000000", leBuffers: "FB00 10",
            expected: Expected(isExtended: true, length: 251, packets: 16)),
        // The packets of a Pixel 3 XL in Android's hci_packets_test.cc. Assumed: LE features, both buffers.
        RealController(
            name: "Qualcomm WCN3990", version: "09 0000 09 1D00 BE02", lmp: "FFFE8FFED83F5B87",
            commands: "FFFFFF03CEFFEFFFFFFFFF7FF20FE8FE3FF783FF1C00000061FFFFFF7FBE20F5FFF0FFFFFFFFFF07",
            le: "FF59000000000000", leBuffers: "FB00 10",
            expected: Expected(isExtended: true, length: 251, packets: 16)),
        // The recorded answers in the tests of a JavaScript host for Zephyr's hci_uart; LMP: Zephyr issue 42534.
        RealController(
            name: "Zephyr on nRF52", version: "09 0000 09 F105 0000", lmp: "0000000060000000",
            commands:
                "2000800000C000000000E40000002822000000000000040000F7FFFF7F00000030C079FEFFE380040000",
            le: "F559000000007B11", leBuffers: "1B00 03", address: "000000000000",
            expected: Expected(isExtended: true, packets: 3, isDualMode: false, hasAddress: false)),
        // Recorded answers of RootCanal 1.13, the controller of the Android emulator; buffers: its controller_properties.h.
        RealController(
            name: "Android emulator, RootCanal", version: "0D 0000 0D E000 0000", lmp: "FFFE8FFEDBFF1B87",
            commands:
                "F3FFEF03CEFF83FF3F3FFF1FFE0FE86EFFF783FFFC000418E3F7FFFF7F3F0000FEF0FB7FFEFFFF07C0A3FF1F9A0103",
            le: "FF3900F322400000", leBuffers: "1B00 14", aclBuffers: "0004 FF 0A00 0A00",
            expected: Expected(isExtended: true, packets: 20)),
        // btmon of a dongle 0a12:0001 that is no CSR (00:11:67…), linux-bluetooth archive.
        RealController(
            name: "a Bluetooth 2.0 dongle sold as CSR", version: "03 F401 03 0A00 F401",
            lmp: "FF3E053018180000",
            commands: "7FFFEF03CEDFFFFFFFFFFF1FF20FF8FF3F", expected: Expected(isClassicOnly: true)),
        // Made up of the quirks that Linux knows of clones: it lists Host Buffer Size and LE data length, and refuses them.
        RealController(
            name: "a clone that lists more than it has", version: "09 1008 09 0A00 1223",
            lmp: "FFFF8FFEDBFF5B87",
            commands: "FFFFFF03FEFFFFFFFFFFFFFFF30FE8FE3FF783FF1C00000061F7FFFF7F00000000FFFF",
            le: "2000000000000000", refusals: [0x0C33: 0x01, 0x2024: 0x01, 0x0C6D: 0x11, 0x200F: 0x0C],
            expected: Expected(refused: [0x0C6D, 0x0C33, 0x200F, 0x2024])),
        // HCI_QUIRK_BROKEN_EXT_SCAN, Sven Peter, linux-bluetooth, 2022: lists extended scanning, refuses its
        // parameters with 0x12. Assumed: all else; the mask is the Intel's above, with Broadcom's version.
        RealController(
            name: "Apple BCM4377", version: "0A 0000 0A 0F00 0000", lmp: "BFFECFFEDBFF7B87",
            commands: "FFFFFB03CCFFEFFFFF3FFC9FF30FE8FE3FF78FFF1C00040061F7FFFF7FB80000FEFFFFFFFFE380070008",
            le: "FF59000000000000", leBuffers: "FB00 08", refusals: [0x2041: 0x12],
            expected: Expected(length: 251, packets: 8, refused: [0x2041, 0x2041])),
    ]
}
