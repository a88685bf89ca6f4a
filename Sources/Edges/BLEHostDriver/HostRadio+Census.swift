// SPDX-License-Identifier: Apache-2.0

import BLEHCI
package import BLEHost
package import BLEWire

extension HostRadio {
    /// How much there is of what must not grow, for tests.
    package struct Census: Equatable, Sendable {
        /// The peers of the links that this side has opened.
        package var peripherals: [BluetoothAddress] = []
        /// The peers of the links that others have opened.
        package var centrals: [BluetoothAddress] = []
        package var waitingTasks = 0
        package var sendLines = 0
        package var connectAttempts = 0
        package var scans = 0
        package var channels = 0
        package var listeners = 0
        package var stack = HostStack.Census()

        package init() {}
    }

    package var census: Census {
        var census = Census()
        for (_, link) in links.sorted(by: { $0.key < $1.key }) {
            guard let address = link.connection.peer.address else { continue }
            if link.role == .central {
                census.peripherals.append(address)
            } else {
                census.centrals.append(address)
            }
        }
        census.waitingTasks = waitingTasks
        census.sendLines = sendLines.count
        census.connectAttempts = connecting.count
        census.scans = scans.all.count
        census.channels = channels.open.count + channels.openings.count
        census.listeners = channels.listeners.count
        census.stack = stack.census
        return census
    }
}
