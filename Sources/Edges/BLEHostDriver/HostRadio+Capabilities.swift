// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLETransport
package import BluetoothLE

extension TransportLoop: RadioClock {}

extension HostRadio {
    package nonisolated var executor: (any TaskExecutor)? { loop }
    package nonisolated var clock: any RadioClock { loop }

    package nonisolated var capabilities: RadioCapabilities { get async { await knownCapabilities } }

    private var knownCapabilities: RadioCapabilities {
        var all = Set(RadioCapability.allCases)
        if !canPair { all.subtract([.pairing, .chosenPasskey]) }
        if !canHide { all.remove(.privacy) }
        if !stack.controller.features.contains(.phyCoded) { all.remove(.codedPHY) }
        if !stack.controller.features.contains(.phy2M) { all.remove(.twoMegabitPHY) }
        if !stack.controller.usesExtendedCommands { all.remove(.extendedAdvertising) }
        return all
    }
}
