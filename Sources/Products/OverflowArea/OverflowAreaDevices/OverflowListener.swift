// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import BluetoothLE
import CompanionDevices
public import OverflowArea
public import OverflowAreaCompanion

/// Receives overflow areas, and keeps the senders.
public actor OverflowListener {
    /// How often it looks whether anybody has fallen silent.
    private static let pause = Duration.milliseconds(250)

    private var receiver: OverflowReceiver
    /// The senders that were heard.
    public private(set) var board = OverflowTable()
    private let show: @Sendable (OverflowReceiver.Output) throws -> Void

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - options: How to listen.
    ///   - show: Called with what is heard; what it throws ends the listening.
    public init(
        _ options: OverflowReceiver.Options,
        _ show: @escaping @Sendable (OverflowReceiver.Output) throws -> Void = { _ in }
    ) {
        receiver = OverflowReceiver(options)
        self.show = show
    }

    /// Listens until the task is cancelled or the radio is lost.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - tick: Called every now and then with what was heard.
    /// - Throws: ``BluetoothError``, or what showing throws.
    public nonisolated func run(
        on radio: Radio, _ tick: @escaping @Sendable (OverflowTable) async throws -> Void = { _ in }
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await report in try await radio.scan(.init(phys: [.le1M])) {
                    try await self.receive(report, at: radio.now)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    try await self.pass(at: radio.now)
                    try await tick(self.board)
                    await Wait.for(Self.pause, on: radio)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Handles an advertisement or scan response.
    private func receive(_ report: Advertisement, at moment: HostInstant) throws {
        // Platforms that hide addresses hide the overflow area, too.
        guard let address = report.peer.address else { return }
        receiver.receive(report.data.octets, from: address, rssi: report.rssi, at: moment)
        try drain()
    }

    /// Moves the receiver on to the present.
    private func pass(at moment: HostInstant) throws {
        if let deadline = receiver.nextDeadline, deadline <= moment { receiver.deadlineReached(at: moment) }
        try drain()
    }

    private func drain() throws {
        while let heard = receiver.nextOutput() {
            board.receive(heard)
            try show(heard)
        }
    }
}
