// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import Companion
package import CompanionDevices
package import ProductRegistry

/// A product with what the command line has of it.
package protocol CommandProduct: Product {
    /// `device run` for its device.
    var deviceCommand: any ParsableCommand.Type { get }

    /// Its commands, in the order of the help; `lantern wifi` belongs to none.
    var commands: [any ParsableCommand.Type] { get }

    /// Its events.
    var events: [EventDescription] { get }

    /// How `lantern wifi` speaks to its devices; `nil` when they take no Wi-Fi credentials.
    var wifi: (any WiFiClientKind)? { get }

    /// What the usage of its commands calls a device that may be named as people name it; `nil` when there is none such.
    var deviceWord: String? { get }
}

extension CommandProduct {
    package var commands: [any ParsableCommand.Type] { [] }

    package var wifi: (any WiFiClientKind)? { nil }

    package var deviceWord: String? { nil }
}
