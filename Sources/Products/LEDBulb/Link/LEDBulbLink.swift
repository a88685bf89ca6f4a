// SPDX-License-Identifier: Apache-2.0

import BLEDevice
import BLEHost
import LEDBulb

extension LinkCheck {
    static func ledBulb() {
        // Each client has its own ClientCore.
        var client = LEDBulbClient(options: LEDBulbClient.Options())
        use(client: &client)
        var host = DeviceHost(LEDBulbDevice(.triones))
        use(host: &host)
        var chip = PeripheralHost(LEDBulbDevice(.triones))
        use(chip: &chip)
    }
}
