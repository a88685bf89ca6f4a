// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import Synchronization

@testable import CommandIO

/// An output that keeps what is printed.
final class Recorder: Sendable {
    private let printed = Mutex<[UInt8]>([])
    private let lines: AsyncStream<Void>
    private let printedLine: AsyncStream<Void>.Continuation
    let terminal: Terminal

    init(_ terminal: Terminal = .none) {
        self.terminal = terminal
        (lines, printedLine) = AsyncStream.makeStream()
    }

    var output: Output {
        Output(terminal: self.terminal) { octets in
            self.printed.withLock { $0 += octets }
            self.printedLine.yield()
        }
    }

    var text: String { printed.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Waits until so many lines were printed.
    func wait(for count: Int) async { await wait { $0.split(separator: "\n").count >= count } }

    /// Waits until what was printed is as it should be.
    func wait(until isEnough: (String) -> Bool) async {
        if isEnough(text) { return }
        for await _ in lines where isEnough(text) { return }
    }
}

/// Each call is a second later.
final class FakeClock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)

    @Sendable func now() -> Timestamp {
        Timestamp(
            milliseconds: seconds.withLock { seconds in
                defer { seconds += 1 }
                return seconds
            } * 1000)
    }
}
