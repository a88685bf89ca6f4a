// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import VirtualPhone

// Channels that devices open.
extension CBPeripheralManager {
    func publishChannel(isEncrypted encryptionRequired: Bool) {
        guard isReady(), let publication else { return }
        let (radio, callbacks, reference) = (publication.phone.radio, callbacks, reference)
        Task(executorPreference: radio.executor) {
            var options = ChannelOptions.forStreams
            options.isEncrypted = encryptionRequired
            let result: Result<ChannelListener, BluetoothError>
            do throws(BluetoothError) { result = .success(try await radio.listen(options)) } catch {
                result = .failure(error)
            }
            if case .success(let listener) = result, !publication.open(listener) { return }
            callbacks.post {
                guard let manager = reference.object as? CBPeripheralManager else { return }
                let psm = (try? result.get())?.psm ?? 0
                manager.delegate?.peripheralManager(manager, didPublishL2CAPChannel: psm, error: result.error)
            }
        }
    }

    func unpublishChannel(_ PSM: CBL2CAPPSM) {
        guard isReady(), let publication else { return }
        let door = publication.takeDoor(PSM)
        if door == nil { misused("\(PSM) is not published") }
        door?.close()
        callbacks.post { [reference] in
            guard let manager = reference.object as? CBPeripheralManager else { return }
            let error = door == nil ? CBError(.invalidParameters) : nil
            manager.delegate?.peripheralManager(manager, didUnpublishL2CAPChannel: PSM, error: error)
        }
    }
}

extension Publication {
    /// Takes the channels that come to a listener, one at a time.
    ///
    /// - Returns: Whether somebody still wants it.
    fileprivate func open(_ listener: ChannelListener) -> Bool {
        let door = ChannelDoor(listener, phone.radio) { [callbacks, reference, weak self] channel in
            await callbacks.deliver { [weak self] in
                guard let self, let manager = reference.object as? CBPeripheralManager else { return }
                let peer = self.central(of: channel.description.peer)
                let opened = CBL2CAPChannel(channel, peer, self.phone.radio)
                manager.delegate?.peripheralManager(manager, didOpen: opened, error: nil)
            }
        }
        return add(door)
    }
}
