// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import BluetoothLE

/// On what a command listens and connects.
package struct PHYOptions: ParsableArguments {
    @Option(
        name: .customLong("phy"),
        help: ArgumentHelp(
            "The PHYs to listen and connect on: 1m, coded (long range), or 1m,coded (default: both, where the radio can).",
            valueName: "phys"))
    private var choice: PHYChoice?

    package init() {}

    /// All on which devices are found.
    package static let all: Set<PHY> = [.le1M, .leCoded]

    /// What was chosen, else all.
    package var phys: Set<PHY> { choice?.phys ?? Self.all }

    /// Sees to it that something of what was chosen can be done.
    ///
    /// - Parameter radio: On what.
    /// - Throws: ``BluetoothError`` when nothing of it can.
    package func check(_ radio: Radio) async throws(BluetoothError) {
        guard phys == [.leCoded], await !radio.capabilities.contains(.codedPHY) else { return }
        throw .unsupported(.codedPHY)
    }
}

/// Modulations as a person writes them: `1m`, `coded`, or both with a comma.
struct PHYChoice: ExpressibleByArgument, Hashable {
    let phys: Set<PHY>

    static var defaultCompletionKind: CompletionKind { .commaSeparated(["1m", "coded"]) }

    init?(argument: String) {
        var phys: Set<PHY> = []
        for word in argument.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "1m": phys.insert(.le1M)
            case "coded": phys.insert(.leCoded)
            default: return nil
            }
        }
        self.phys = phys
    }
}
