// SPDX-License-Identifier: Apache-2.0

/// Where lines come from that a person or a program sends: commands, and answers to what they ask.
///
/// One at a time takes lines.
package actor ShellLines {
    /// Longer lines are cut, in octets; no command is so long.
    private static let longest = 65536

    private var given: ArraySlice<String>
    private let input: StandardInput?
    private var octets: [UInt8] = []
    private var hasEnded = false

    /// Lines that are there already.
    package init(_ lines: [String]) {
        given = lines[...]
        input = nil
    }

    /// Lines that somebody sends.
    package init(_ input: StandardInput) {
        given = []
        self.input = input
    }

    /// The next line, without its end.
    ///
    /// - Returns: The line; `nil` when there are no more, or the task is cancelled.
    package func next() async -> String? {
        guard let input else { return given.popFirst() }
        var searched = 0
        while true {
            if let end = octets[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { octets.removeFirst(end + 1) }
                return Self.text(octets[..<end])
            }
            if octets.count > 2 * Self.longest { octets.removeLast(octets.count - Self.longest) }
            searched = octets.count
            guard !hasEnded else {
                defer { octets = [] }
                return octets.isEmpty ? nil : Self.text(octets[...])
            }
            let more = await input.read(upTo: 4096)
            if Task.isCancelled { return nil }
            hasEnded = more.isEmpty
            octets += more
        }
    }

    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        let line = octets.last == UInt8(ascii: "\r") ? octets.dropLast() : octets
        return String(decoding: line.prefix(longest), as: UTF8.self)
    }
}
