// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE
package import Companion
package import HubModel

/// Where a hub gets its radio from.
package protocol HubRadioSource: Sendable {
    /// What the radio is called before one was opened.
    var name: String { get }
    /// Whether its devices are invented.
    var isSimulated: Bool { get }
    /// Links that it may have open at once.
    var maximumConnections: Int { get }
    /// Records what passes to and from the radio, also to one that is opened later; `nil` where that cannot be.
    var capture: (any HubCapturing)? { get }

    /// Opens the radio; whoever opens it closes it.
    ///
    /// - Returns: What it is called, and the radio.
    /// - Throws: ``RadioError``.
    func open() async throws(RadioError) -> (name: String, radio: Radio)
}

/// Why a radio cannot be used, and what to do about it.
package struct RadioError: Error, Hashable, Sendable {
    /// What it is at.
    package var condition: HubRadioState.Condition
    /// That in some words.
    package var title: String
    /// What is wrong and what to do, in a sentence or two.
    package var text: String
    /// What to type on the hub.
    package var commands: [String]

    /// Makes a trouble.
    package init(
        _ condition: HubRadioState.Condition, title: String, text: String, commands: [String] = []
    ) {
        self.condition = condition
        self.title = title
        self.text = text
        self.commands = commands
    }
}

/// Records a radio's traffic into a file.
package protocol HubCapturing: Sendable {
    /// Begins a new file.
    func start(_ path: String) throws(BadInput)
    /// Ends the file.
    func stop()
    /// Waits until all that has passed is in the file, a few seconds at most.
    func flush() async
    /// What there is of the file that was begun last: its octets, its packets, and why it has ended by itself, or what it lacks.
    var progress: (octets: Int64, packets: Int, failure: String?) { get }
}
