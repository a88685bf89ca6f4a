// SPDX-License-Identifier: Apache-2.0

/// Those who follow whether a radio can be used.
///
/// Only the last state waits for each of them.
package struct RadioStates {
    private var streams: [RadioStateStream.Source] = []

    /// Starts with nobody.
    package init() {}

    /// Whether nobody has ever followed, or the radio is closed.
    package var isEmpty: Bool { streams.isEmpty }

    /// Somebody follows from now on.
    ///
    /// - Parameter state: The present state; `nil` when the radio is closed, which ends the stream.
    /// - Returns: The states.
    package mutating func follow(_ state: RadioState?) -> RadioStateStream {
        let source = RadioStateStream.Source(.dropOldest(1))
        streams.removeAll { !$0.isOpen }
        if let state {
            streams.append(source)
            source.yield(state)
        } else {
            source.finish()
        }
        return RadioStateStream(source)
    }

    /// The radio's state has changed.
    package func tell(_ state: RadioState, _ wakeUps: inout StreamWakeUps) {
        for stream in streams { stream.yield(state, &wakeUps) }
    }

    /// The radio's state has changed; whoever waits is woken.
    package func tell(_ state: RadioState) { for stream in streams { stream.yield(state) } }

    /// The radio is closed.
    package mutating func end() {
        for stream in streams { stream.finish() }
        streams = []
    }
}
