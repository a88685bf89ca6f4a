// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

/// What one UUID looks like in each of its forms.
struct UUIDCase: Sendable, CustomTestStringConvertible {
    let uuid: BluetoothUUID
    let text: String
    /// The form that ATT uses, least significant octet first.
    let wire: String

    var testDescription: String { text }

    static let all: [UUIDCase] = [
        .init(uuid: BluetoothUUID(0x180F), text: "180f", wire: "0F18"),
        .init(uuid: BluetoothUUID(0x0000), text: "0000", wire: "0000"),
        .init(uuid: BluetoothUUID(0xFFFF), text: "ffff", wire: "FFFF"),
        .init(
            uuid: BluetoothUUID(short32: 0x1234_5678), text: "12345678",
            wire: "FB349B5F80000080 00100000 78563412"),
        .init(
            uuid: BluetoothUUID(short32: 0x0001_0000), text: "00010000",
            wire: "FB349B5F80000080 00100000 00000100"),
        .init(
            uuid: BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B),
            text: "4fafc201-1fb5-459e-8fcc-c5c9c331914b", wire: "4B9131C3C9C5CC8F 9E45B51F 01C2AF4F"),
        .init(
            uuid: BluetoothUUID(high: 0, low: 0), text: "00000000-0000-0000-0000-000000000000",
            wire: "0000000000000000 0000000000000000"),
        // One bit off the Bluetooth base in either half.
        .init(
            uuid: BluetoothUUID(high: 0x0000_180F_0000_1001, low: 0x8000_0080_5F9B_34FB),
            text: "0000180f-0000-1001-8000-00805f9b34fb", wire: "FB349B5F80000080 01100000 0F180000"),
        .init(
            uuid: BluetoothUUID(high: 0x0000_180F_0000_1000, low: 0x8000_0080_5F9B_34FA),
            text: "0000180f-0000-1000-8000-00805f9b34fa", wire: "FA349B5F80000080 00100000 0F180000"),
    ]
}

@Suite struct BluetoothUUIDTests {
    @Test(arguments: UUIDCase.all) func `has its text and is read from it`(_ uuid: UUIDCase) {
        #expect(uuid.uuid.description == uuid.text)
        #expect(BluetoothUUID(uuid.text) == uuid.uuid)
        #expect(BluetoothUUID(uuid.text.uppercased()) == uuid.uuid)
        #expect(BluetoothUUID("0x" + uuid.text) == uuid.uuid)
        #expect(BluetoothUUID("{" + uuid.text + "}") == uuid.uuid)
        #expect(BluetoothUUID("urn:uuid:" + uuid.text) == uuid.uuid)
        #expect(BluetoothUUID(uuid.text.filter { $0 != "-" }) == uuid.uuid)
    }

    @Test(arguments: UUIDCase.all) func `has its shortest form in ATT`(_ uuid: UUIDCase) throws {
        var writer = ByteWriter()
        uuid.uuid.encodeAttributeType(into: &writer)
        #expect(writer.octets == [UInt8](hexadecimal: uuid.wire))
        #expect(uuid.uuid.attributeTypeWidth == writer.octets.count)
        var reader = ByteReader(writer.octets.span.bytes)
        let back = try BluetoothUUID(decodingAttributeType: &reader)
        #expect(back == uuid.uuid)
    }

    @Test(arguments: UUIDCase.all) func `comes back from its long form`(_ uuid: UUIDCase) throws {
        var writer = ByteWriter()
        uuid.uuid.encode128(into: &writer)
        #expect(writer.octets.count == 16)
        var reader = ByteReader(writer.octets.span.bytes)
        let back = try BluetoothUUID(decoding: &reader, width: 16)
        #expect(back == uuid.uuid)
    }

    @Test func `stands in the code as text`() {
        let short: BluetoothUUID = "180F"
        let long: BluetoothUUID = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
        #expect(short == .batteryService)
        #expect(long == BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B))
    }

    @Test func `text in the code that is no UUID ends the program with a sentence`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let wrong: BluetoothUUID = "heart rate"
            print(wrong)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("“heart rate” is no UUID"))
    }

    @Test func `the long form of a short one is the same UUID`() {
        #expect(BluetoothUUID("0000180f-0000-1000-8000-00805f9b34fb") == BluetoothUUID(0x180F))
        #expect(BluetoothUUID("0000180F") == BluetoothUUID(0x180F))
        #expect(BluetoothUUID(short32: 0x180F).short == 0x180F)
        #expect(BluetoothUUID(short32: 0x1_0000).short == nil)
        #expect(BluetoothUUID(short32: 0x1_0000).short32 == 0x1_0000)
        #expect(BluetoothUUID(high: 0, low: 0).short32 == nil)
    }

    @Test(arguments: [
        "", "0", "18", "180", "180g", "180f0", "0x", "0x180", "x180f", "180f ", " 180f", "-180f", "18-0f",
        "1800000", "180000000", "4fafc2011fb5459e8fccc5c9c331914", "4fafc2011fb5459e8fccc5c9c331914b0",
        "4fafc201-1fb5-459e-8fcc-c5c9c331914", "4fafc201-1fb5-459e-8fcc-c5c9c331914bb",
        "4fafc2011-fb5-459e-8fcc-c5c9c331914b", "4fafc201_1fb5_459e_8fcc_c5c9c331914b",
        "4fafc201-1fb5-459e-8fcc-c5c9c331914g", "------------------------------------", "180é", "１８０ｆ",
        "+80f", "18\u{0}f",
    ]) func `text that is no UUID is refused`(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test(arguments: [-1, 0, 1, 3, 5, 8, 15, 17, 32, Int.max, Int.min])
    func `widths that do not exist are refused`(_ width: Int) {
        let octets = [UInt8](repeating: 7, count: 40)
        var reader = ByteReader(octets.span.bytes)
        var caught: DecodeError?
        do throws(DecodeError) { _ = try BluetoothUUID(decoding: &reader, width: width) } catch {
            caught = error
        }
        #expect(caught?.reason == .badLength(width))
    }

    @Test(arguments: [0, 1, 3, 4, 15, 17]) func `ATT knows two widths only`(_ count: Int) {
        let octets = [UInt8](repeating: 7, count: count)
        var reader = ByteReader(octets.span.bytes)
        var caught: DecodeError?
        do throws(DecodeError) { _ = try BluetoothUUID(decodingAttributeType: &reader) } catch {
            caught = error
        }
        #expect(caught?.reason == .badLength(count))
    }

    @Test(arguments: [2, 4, 16]) func `a UUID that is cut off is refused`(_ width: Int) {
        let octets = [UInt8](repeating: 7, count: width - 1)
        var reader = ByteReader(octets.span.bytes)
        var caught: DecodeError?
        do throws(DecodeError) { _ = try BluetoothUUID(decoding: &reader, width: width) } catch {
            caught = error
        }
        #expect(caught != nil)
    }

    @Test func `orders by what is written`() {
        let ordered = ["0000", "1800", "ffff", "00010000", "4fafc201-1fb5-459e-8fcc-c5c9c331914b"]
            .compactMap { BluetoothUUID($0) }
        #expect(ordered.count == 5)
        #expect(Array(ordered.reversed().sorted()) == ordered)
    }
}

@Suite struct BluetoothAddressTests {
    private static let address = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)

    @Test func `has text, and wire octets in reverse`() throws {
        #expect(Self.address.description == "F0:F1:F2:F3:F4:F5")
        var writer = ByteWriter()
        Self.address.encode(into: &writer)
        #expect(writer.octets == [0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0])
        var reader = ByteReader(writer.octets.span.bytes)
        let back = try BluetoothAddress(decoding: &reader, kind: .random)
        #expect(back == Self.address)
    }

    @Test(arguments: ["F0:F1:F2:F3:F4:F5", "f0:f1:f2:f3:f4:f5", "F0-F1-F2-F3-F4-F5"])
    func `is read from text`(_ text: String) {
        #expect(BluetoothAddress(text, kind: .random) == Self.address)
        #expect(BluetoothAddress(text, kind: .public) != Self.address)
    }

    @Test(arguments: [
        "", ":::::", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:F5:F6", "F0:F1:F2:F3:F4:F", "F0:F1:F2:F3:F4:F5:",
        "F0-F1:F2:F3:F4:F5", "F0F1F2F3F4F5", "G0:F1:F2:F3:F4:F5", "0F0:F1:F2:F3:F4:5", " F0:F1:F2:F3:F4:F5",
        "é:F1:F2:F3:F4:F5",
    ]) func `text that is no address is refused`(_ text: String) {
        #expect(BluetoothAddress(text, kind: .public) == nil)
    }

    @Test func `drops what exceeds 48 bits`() {
        #expect(BluetoothAddress(.max, kind: .public).description == "FF:FF:FF:FF:FF:FF")
        #expect(BluetoothAddress(.max, kind: .public).value == 0xFFFF_FFFF_FFFF)
        #expect(BluetoothAddress(0, kind: .public).description == "00:00:00:00:00:00")
    }
}
