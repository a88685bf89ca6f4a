// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire

enum FirmwareSnippets {
    // snippet: firmware
    /// Runs a device on a chip: octets to and from the controller, and the time in microseconds.
    static func firmware(
        now: () -> UInt64, write: ([UInt8]) -> Void, read: (_ until: UInt64?) -> [UInt8]
    ) -> Never {
        var host = DeviceHost(Thermometer())
        host.start(at: HostInstant(microseconds: now()))
        while true {
            while let output = host.nextOutput() {
                if case .send(let octets) = output { write(octets) }
            }
            let octets = read(host.nextDeadline?.microseconds)
            let moment = HostInstant(microseconds: now())
            if octets.isEmpty {
                host.deadlineReached(at: moment)
            } else {
                host.receive(octets, at: moment)
            }
        }
    }
    // end
}
