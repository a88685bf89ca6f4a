// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Foundation

/// What is fed to the stack.
enum Input {
    case notification, advertisement
}

/// Feeds a stack with no transport around it: octets in, events out.
func measureStack(_ input: Input, _ count: Int) -> Duration {
    var stack = HostStack()
    let now = HostInstant(microseconds: 1)
    stack.start(at: now)
    answerCommands(of: &stack)
    precondition(stack.isReady, "the stack did not start")
    let packet: [UInt8]
    switch input {
    case .notification:
        stack.connect(to: BluetoothAddress(0xC0DE_C0FF_EE01, kind: .random), at: now)
        answerCommands(of: &stack)
        let connected: [UInt8] = [
            4, 0x3E, 19, 1, 0, 0x40, 0, 0, 1, 1, 0xEE, 0xFF, 0xC0, 0xDE, 0xC0, 0x18, 0, 0, 0, 0xF4, 1, 0,
        ]
        stack.receive(connected, at: now)
        answerCommands(of: &stack)
        stack.receive([2, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 3, 0xF7, 0], at: now)
        packet =
            [2, 0x40, 0x20, 251, 0, 247, 0, 4, 0, 0x1B, 3, 0] + [UInt8](repeating: 0xAA, count: 244)
    case .advertisement:
        stack.startScanning(ScanParameters(isActive: false), at: now)
        answerCommands(of: &stack)
        packet =
            [4, 0x3E, 43, 2, 1, 0, 1, 1, 0xEE, 0xFF, 0xC0, 0xDE, 0xC0, 31] + advertisements()[0] + [0xC4]
    }
    // As much as one read of a socket brings.
    let batch = [[UInt8]](repeating: packet, count: 32).flatMap { $0 }
    var events = 0
    let duration = processorTime {
        for _ in 0..<(count / 32) {
            stack.receive(batch, at: now)
            while let output = stack.nextOutput() {
                switch output {
                case .event(.value(_, _, let value, _)) where value.count == 244: events += 1
                case .event(.advertisement(let report)) where report.data.count == 31: events += 1
                default: break
                }
            }
        }
    }
    precondition(events == count / 32 * 32, "the stack has not reported everything")
    return duration
}

/// Answers every command with success and as many zeros as any answer needs; buffers for 251 octets.
private func answerCommands(of stack: inout HostStack) {
    while let output = stack.nextOutput() {
        guard case .send(let packet) = output, packet[0] == 1 else { continue }
        let (low, high) = (packet[1], packet[2])
        var answer: [UInt8]
        switch UInt16(low) | UInt16(high) << 8 {
        case 0x200D: answer = [4, 0x0F, 4, 0, 1, low, high]
        case let opcode:
            let result: [UInt8] =
                switch opcode {
                case 0x1001, 0x1003, 0x2003, 0x2018: [UInt8](repeating: 0, count: 9)
                case 0x1002: [UInt8](repeating: 0, count: 65)
                case 0x1009: [0, 1, 2, 3, 4, 5, 6]
                case 0x2002: [0, 251, 0, 20]
                default: [0]
                }
            answer = [4, 0x0E, UInt8(result.count + 3), 1, low, high] + result
        }
        stack.receive(answer, at: HostInstant(microseconds: 1))
    }
}
