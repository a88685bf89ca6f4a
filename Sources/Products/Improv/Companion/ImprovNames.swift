// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Improv

extension UUIDNames {
    /// An Improv device's.
    static let improv = UUIDNames(
        services: [(ImprovUUID.service, "Improv")],
        characteristics: [
            (ImprovUUID.state, "Improv Current State"),
            (ImprovUUID.error, "Improv Error State"),
            (ImprovUUID.command, "Improv RPC Command"),
            (ImprovUUID.result, "Improv RPC Result"),
            (ImprovUUID.capabilities, "Improv Capabilities"),
        ])
}
