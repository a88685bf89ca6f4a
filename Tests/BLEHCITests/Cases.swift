// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

/// Golden octets of one PDU and what must come of them.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// The octets, from the specification's layout.
    let golden: [UInt8]
    /// What our encoder makes of the value.
    let encoded: [UInt8]
    /// Decodes octets to something that is equal to the value or not.
    let decodesToValue: @Sendable ([UInt8]) throws(DecodeError) -> Bool

    var testDescription: String { name }

    init<Value: Equatable & Sendable>(
        _ name: String, _ hex: String, _ value: Value, encode: (Value) -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) throws(DecodeError) -> Value
    ) {
        self.name = name
        golden = octets(hex)
        encoded = encode(value)
        decodesToValue = { (octets: [UInt8]) throws(DecodeError) -> Bool in try decode(octets) == value }
    }

    /// A whole command packet: indicator, opcode, length, parameters.
    static func command<Command: HCI.Command & Equatable>(_ hex: String, _ value: Command) -> GoldenCase {
        GoldenCase("\(Command.self)", hex, value, encode: { HCI.Packet($0).octets }) {
            (octets: [UInt8]) throws(DecodeError) -> Command in
            var reader = ByteReader(octets.span.bytes)
            guard case .command(let opcode, let parameters) = try HCI.Packet(decoding: &reader),
                opcode == Command.opcode
            else { throw DecodeError(.unknownCode(0), at: 0) }
            return try Command(octets: parameters)
        }
    }

    /// Return parameters behind a status of success.
    static func reply<Command: HCI.Command>(
        _ command: Command.Type, _ hex: String, _ value: Command.ReturnParameters
    ) -> GoldenCase where Command.ReturnParameters: Equatable {
        GoldenCase("\(Command.self) reply", hex, value, encode: Command.encodeReturn) {
            (octets: [UInt8]) throws(DecodeError) -> Command.ReturnParameters in
            do throws(HCI.ReplyError) {
                return try Command.decodeReturn(octets)
            } catch {
                switch error {
                case .malformed(let error): throw error
                case .refused(let status): throw DecodeError(.outOfRange(UInt64(status.rawValue)), at: 0)
                }
            }
        }
    }

    /// A whole event packet: indicator, code, length, parameters.
    static func event(_ hex: String, _ value: HCI.Event) -> GoldenCase {
        let name = "\(value)".prefix { $0 != "(" }
        return GoldenCase(String(name), hex, value, encode: { HCI.Packet($0).octets }) {
            (octets: [UInt8]) throws(DecodeError) -> HCI.Event in
            var reader = ByteReader(octets.span.bytes)
            guard case .event(let code, let parameters) = try HCI.Packet(decoding: &reader) else {
                throw DecodeError(.unknownCode(0), at: 0)
            }
            return try HCI.Event(code: code, parameters: parameters)
        }
    }

    /// Offset of the octet that counts those behind it, in a whole packet.
    var countOffset: Int? {
        switch golden.first {
        case 1: 3
        case 4: 2
        default: nil
        }
    }
}

/// Octets of hex digits; none when they are no hex digits, so that the test fails.
func octets(_ hex: String) -> [UInt8] { [UInt8](hexadecimal: hex) ?? [] }

let publicPeer = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .public)
let randomPeer = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
let link = ConnectionHandle(rawValue: 0x0042)
