// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CompanionDevices

/// How data is printed.
struct FormatOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object per line.")
    var isJSON = false
}

extension Seconds: ExpressibleByArgument {
    /// Reads what stands behind an option.
    package init?(argument: String) { self.init(argument) }

    /// As it is written behind an option.
    package var defaultValueDescription: String { String(text.dropLast(2)) }
}
