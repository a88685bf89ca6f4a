// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import VirtualPhone

// Channels to the device.
extension CBPeripheral {
    func openChannel(_ PSM: CBL2CAPPSM) {
        ask { session throws(BluetoothError) in
            try await session.connection.openChannel(psm: PSM, .forStreams)
        } then: { peripheral, result in
            guard let radio = peripheral.manager?.app?.phone.radio else { return }
            let channel = (try? result.get()).map { CBL2CAPChannel($0, peripheral, radio) }
            peripheral.delegate?.peripheral(peripheral, didOpen: channel, error: result.error)
        }
    }
}
