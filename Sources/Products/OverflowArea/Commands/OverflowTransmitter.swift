// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import OverflowArea

/// Advertises as an iPhone in the background does, and shows what.
struct OverflowTransmitter: Sendable {
    /// What to advertise.
    let content: OverflowSender.Content
    /// How long each advertisement stays, in milliseconds; `nil` as usual.
    let intervalMilliseconds: UInt64?
    /// Where to show it.
    let output: Output
    /// Whether that is for scripts.
    let isJSON: Bool
    /// The time of day.
    let now: @Sendable () -> Timestamp

    private var codec: OverflowCodec? { if case .payload(_, let codec) = content { codec } else { nil } }

    /// Advertises until the task is cancelled or the radio is lost.
    ///
    /// - Parameter radio: The radio.
    /// - Throws: ``BluetoothError`` or ``OutputError``.
    func run(on radio: Radio) async throws {
        let server = try await radio.serve(
            ServerDescription(
                name: "iPhone", services: [],
                advertisement: Self.advertisement(
                    OverflowSender(content, intervalMilliseconds: intervalMilliseconds).transmission),
                advertisesName: false))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await transmit(through: server, of: radio) }
                group.addTask {
                    // Who connects is of no interest, but has to be taken out.
                    for try await _ in server.events() {}
                }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await Uncancelled.run { await server.stop() }
            throw error
        }
        await Uncancelled.run { await server.stop() }
    }

    private func transmit(through server: Server, of radio: Radio) async throws {
        var sender = OverflowSender(content, intervalMilliseconds: intervalMilliseconds)
        sender.start(at: radio.now)
        var isFirst = true
        while !Task.isCancelled {
            while let transmission = sender.nextOutput() {
                // The first one is on the air since the server is.
                if !isFirst { try await server.advertise(Self.advertisement(transmission)) }
                isFirst = false
                try show(transmission)
            }
            guard let deadline = sender.nextDeadline else { return await Wait.for(nil) }
            do { try await radio.sleep(until: deadline) } catch { return }
            sender.deadlineReached(at: radio.now)
        }
    }

    private func show(_ transmission: OverflowSender.Transmission) throws {
        let time = now()
        try output.line(
            isJSON
                ? transmission.json(codec, at: time)
                : OverflowText.line(transmission, codec, at: time, on: output.terminal))
    }

    private static func advertisement(_ transmission: OverflowSender.Transmission) -> DeviceAdvertisement {
        DeviceAdvertisement(data: transmission.map.advertisingData, scanResponse: [])
    }
}
