// SPDX-License-Identifier: Apache-2.0

import BLEHCI
package import BLEWire

extension VirtualAir {
    /// How much there is of what must not grow, for tests.
    package struct Census: Equatable, Sendable {
        /// A link as one controller knows it.
        package struct Side: Hashable, Sendable {
            package let own: BluetoothAddress
            package let peer: BluetoothAddress
            package let isCentral: Bool

            package init(own: BluetoothAddress, peer: BluetoothAddress, isCentral: Bool) {
                (self.own, self.peer, self.isCentral) = (own, peer, isCentral)
            }
        }

        package var sides: [Side] = []
        package var controllers: [BluetoothAddress: ControllerID] = [:]
        /// What is to happen at some moment.
        package var events = 0
        /// Packets that hosts have not got yet.
        package var pending = 0
    }

    package var census: Census {
        var census = Census()
        for controller in controllers {
            for side in controller.sides {
                census.sides.append(
                    .init(
                        own: controller.configuration.address, peer: side.peerAddress,
                        isCentral: side.role == .central))
            }
            census.controllers[controller.configuration.address] = controller.id
            census.pending += controller.pendingOutputs
        }
        census.events = schedule.count
        return census
    }
}
