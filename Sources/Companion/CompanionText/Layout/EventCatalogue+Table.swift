// SPDX-License-Identifier: Apache-2.0

package import Companion

extension TextTable {
    /// Events, when they happen and what their values are called.
    ///
    /// - Parameter catalogue: The events.
    package init(_ catalogue: EventCatalogue) {
        self.init([.init("EVENT"), .init("WHEN"), .init("VALUES")], isBroken: true)
        for event in catalogue.events {
            add([
                .init("\(event.name)", .bold), .init("\(event.summary)"),
                .init(event.fields.map { "\($0.key)" }.joined(separator: ", "), .cyan),
            ])
        }
    }
}
