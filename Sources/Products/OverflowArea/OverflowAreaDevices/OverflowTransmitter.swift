// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEWire
public import BluetoothLE
import CompanionDevices
public import OverflowArea
public import OverflowAreaCompanion

/// Advertises as an iPhone in the background does; on an iPhone, names the services and leaves the rest to the system.
public struct OverflowTransmitter: Sendable {
    private let content: OverflowSender.Content
    private let intervalMilliseconds: UInt64?
    private let show: @Sendable (OverflowAdvertising) throws -> Void

    /// Makes a transmitter.
    ///
    /// - Parameters:
    ///   - content: What to advertise.
    ///   - intervalMilliseconds: How long each advertisement stays; `nil` as usual.
    ///   - show: Called with what is on the air; what it throws ends the advertising.
    public init(
        _ content: OverflowSender.Content, intervalMilliseconds: UInt64?,
        _ show: @escaping @Sendable (OverflowAdvertising) throws -> Void
    ) {
        self.content = content
        self.intervalMilliseconds = intervalMilliseconds
        self.show = show
    }

    private var codec: OverflowCodec? { if case .payload(_, let codec) = content { codec } else { nil } }

    /// Advertises until the task is cancelled or the radio is lost.
    ///
    /// - Parameter radio: The radio.
    /// - Throws: ``BluetoothError``, or what showing throws.
    public func run(on radio: Radio) async throws {
        // Where octets cannot be chosen, the system makes them of the services.
        let sendsOctets = await radio.capabilities.contains(.chosenAdvertisement)
        let server = try await radio.serve(
            ServerDescription(
                name: "iPhone", services: [],
                advertisement: Self.advertisement(
                    OverflowSender(content, intervalMilliseconds: intervalMilliseconds).transmission,
                    inOctets: sendsOctets),
                advertisesName: false))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await transmit(through: server, of: radio, inOctets: sendsOctets) }
                group.addTask {
                    // Who connects is of no interest, but has to be taken out.
                    for try await _ in server.events() {}
                }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await withoutCancellation { await server.stop() }
            throw error
        }
        await withoutCancellation { await server.stop() }
    }

    private func transmit(
        through server: Server, of radio: Radio, inOctets sendsOctets: Bool
    ) async throws {
        var sender = OverflowSender(content, intervalMilliseconds: intervalMilliseconds)
        sender.start(at: radio.now)
        var isFirst = true
        while !Task.isCancelled {
            while let transmission = sender.nextOutput() {
                // The first one is on the air since the server is.
                if !isFirst {
                    try await server.advertise(Self.advertisement(transmission, inOctets: sendsOctets))
                }
                isFirst = false
                try show(OverflowAdvertising(transmission, codec: codec))
            }
            guard let deadline = sender.nextDeadline else { return await Wait.untilCancelled() }
            do { try await radio.sleep(until: deadline) } catch { return }
            sender.deadlineReached(at: radio.now)
        }
    }

    private static func advertisement(
        _ transmission: OverflowSender.Transmission, inOctets sendsOctets: Bool
    ) throws -> DeviceAdvertisement {
        guard !sendsOctets else {
            return DeviceAdvertisement(data: transmission.map.advertisingData, scanResponse: [])
        }
        // More than an advertisement has room for: most of them belong into the overflow area.
        var data = AdvertisingDataBuilder(limit: AdvertisingDataBuilder.chainedLimit)
        for uuid in transmission.uuids { try data.appendServices([uuid]) }
        return DeviceAdvertisement(data: data.octets, scanResponse: [])
    }
}
