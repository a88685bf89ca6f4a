// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import CompanionDevices

/// How data is printed.
package struct FormatOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object per line.")
    package var isJSON = false

    package init() {}
}

extension Seconds: ExpressibleByArgument {
    /// Reads what stands behind an option.
    package init?(argument: String) { self.init(argument) }

    /// As it is written behind an option.
    package var defaultValueDescription: String { String(text.dropLast(2)) }
}
