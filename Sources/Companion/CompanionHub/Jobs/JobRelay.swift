// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLEWire

/// Brings a job, which is elsewhere, what happens on its link, and the link what that asks for.
struct JobRelay: ClientSession {
    private var outputs = FIFO<ClientOutput<ClientInput>>()

    var nextDeadline: HostInstant? { nil }

    mutating func receive(_ input: ClientInput, at now: HostInstant) { outputs.append(.event(input)) }
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> ClientOutput<ClientInput>? { outputs.popFirst() }

    /// Has the radio do what the job asks for.
    mutating func perform(_ action: ClientAction) { outputs.append(.action(action)) }
}
