// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension HostStack {
    /// How much there is of what must not grow, for tests.
    package struct Census: Equatable, Sendable {
        /// Links, those that are ending as well.
        package var links = 0
        /// Frames that wait to be sent.
        package var frames = 0
        /// Packets that the controller holds.
        package var inController = 0
        /// Procedures of links that are not over.
        package var procedures = 0
        /// Events that were not reported as consumed.
        package var unconsumed = 0
        /// Whether commands are not answered yet.
        package var hasCommands = false

        /// Counts nothing yet.
        package init() {}
    }

    package var census: Census {
        var census = Census()
        census.links = links.count
        for link in links {
            census.frames += link.outgoing.count
            census.inController += link.inController
            census.procedures += link.procedures.count
            census.unconsumed += link.unconsumed
        }
        census.hasCommands = !commands.isIdle
        return census
    }
}
