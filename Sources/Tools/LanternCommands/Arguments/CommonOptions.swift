// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How data is printed.
struct FormatOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object a line.")
    var isJSON = false
}

/// A length of time in seconds, as `10` or `0.5`.
struct Seconds: ExpressibleByArgument, Hashable, Sendable {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        // A hundred years; what is longer cannot be meant.
        guard let seconds = Double(argument), seconds >= 0, seconds < 3_155_760_000 else { return nil }
        self.init(.milliseconds(Int64((seconds * 1000).rounded())))
    }
}
