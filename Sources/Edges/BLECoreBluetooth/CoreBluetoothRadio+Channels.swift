// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

// Channels that peers open.
extension CoreBluetoothRadio {
    nonisolated func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListenerBackend {
        guard psm == nil else {
            throw .invalidArgument("Core Bluetooth chooses the PSM of a channel: name none.")
        }
        return try await publish(options)
    }

    private func publish(_ options: ChannelOptions) async throws(BluetoothError) -> CoreBluetoothListener {
        guard state == .ready else { throw obstacle }
        try await prepareManager()
        guard let manager = peripheral.manager else { throw obstacle }
        let waiter = Waiter<CoreBluetoothListener>()
        peripheral.listening.append(waiter)
        manager.publishL2CAPChannel(withEncryption: options.isEncrypted)
        return try await queue.wait(for: waiter)
    }

    func listens(at psm: UInt16, _ error: (any Error)?) {
        guard let waiter = peripheral.listening.popFirst() else { return }
        if let error {
            return waiter.end(.failure(.refusedByRadio("the channel: \(error.localizedDescription)")))
        }
        guard !waiter.isOver else {
            peripheral.manager?.unpublishL2CAPChannel(psm)
            return
        }
        let listener = CoreBluetoothListener(self, psm)
        peripheral.listeners[psm] = listener
        waiter.end(.success(listener))
    }

    func opened(_ channel: CBL2CAPChannel) {
        let opened = CoreBluetoothChannel(channel, Peer(channel.peer), queue)
        opened.open(surroundings)
        guard let listener = peripheral.listeners[channel.psm] else { return opened.end(.closedByUs) }
        peripheral.channels.removeAll { $0.ending.reason != nil }
        peripheral.channels.append(opened)
        listener.deliver(opened)
    }

    /// Lets peers open no more channels at a PSM.
    func stop(_ listener: CoreBluetoothListener) {
        guard peripheral.listeners[listener.psm] === listener else { return }
        peripheral.listeners[listener.psm] = nil
        if peripheral.manager?.state == .poweredOn { peripheral.manager?.unpublishL2CAPChannel(listener.psm) }
        listener.end()
    }

    /// The radio is off or closed, and all channels with it.
    func endChannels() {
        for listener in peripheral.listeners.values { stop(listener) }
        for channel in peripheral.channels { channel.end(.linkLost) }
        peripheral.channels = []
    }
}

// Channels to the device.
extension CoreBluetoothConnection {
    func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelBackend {
        guard (1...0xFF).contains(psm) else {
            throw .invalidArgument("PSM \(psm) cannot be: on LE they go from 1 to 255.")
        }
        let answer: Answer
        do throws(BluetoothError) {
            answer = try await ask { link in
                link.peripheral.openL2CAPChannel(psm)
                return .channel
            }
        } catch .badResponse {
            // Core Bluetooth does not say why a channel was refused: most often there is none.
            throw .channel(.notOffered)
        } catch .refused(let code) where code.asksForSecurity {
            throw .channel(.insufficientSecurity)
        }
        guard case .channel(let channel) = answer else { throw .channel(.notOffered) }
        return channel
    }

    func opened(_ channel: CBL2CAPChannel?, _ error: (any Error)?) {
        guard let channel else {
            answered(.channel, error ?? CBError(.unknown))
            return
        }
        let opened = CoreBluetoothChannel(channel, peer, radio.queue)
        opened.open(radio.surroundings)
        guard isAwaited(.channel) else {
            // Whoever has asked was cancelled.
            answered(.channel, nil)
            return opened.end(.closedByUs)
        }
        answered(.channel, nil, .channel(opened))
        channels.removeAll { $0.ending.reason != nil }
        channels.append(opened)
    }
}
