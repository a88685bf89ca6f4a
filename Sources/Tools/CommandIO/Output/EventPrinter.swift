// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices
package import CompanionText

/// Prints events: each a line of JSON for a program, or a line with its time for a person.
package struct EventPrinter: Sendable {
    /// Where to print.
    package let output: Output
    /// Whether to print JSON.
    package let isJSON: Bool
    /// The time.
    package let now: @Sendable () -> Timestamp

    /// Makes a printer.
    package init(to output: Output, isJSON: Bool, now: @escaping @Sendable () -> Timestamp = Timestamp.now) {
        self.output = output
        self.isJSON = isJSON
        self.now = now
    }

    /// Prints an event that has just happened.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``OutputError``.
    package func show(_ event: some EventText) throws(OutputError) { try show(event, at: now()) }

    /// Prints an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - time: When it happened.
    /// - Throws: ``OutputError``.
    package func show(_ event: some EventText, at time: Timestamp) throws(OutputError) {
        guard isJSON else { return try output.line(output.terminal.line(event.line, at: time)) }
        try output.write(event.json(at: time) + [UInt8(ascii: "\n")])
    }

    /// Prints an event of any kind; nothing for a person where it has no words.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``OutputError``.
    package func show(_ event: any Event) throws(OutputError) {
        if let event = event as? any EventText { return try show(event, at: now()) }
        try show(event) { _ in [] }
    }

    /// Prints the answer to what was asked for, which a person gets in lines of its own.
    ///
    /// - Parameters:
    ///   - event: The answer.
    ///   - lines: Makes the lines for so many columns.
    /// - Throws: ``OutputError``.
    package func show(_ event: some Event, _ lines: (_ columns: Int) -> [StyledText]) throws(OutputError) {
        guard isJSON else {
            let terminal = output.terminal
            let text = lines(terminal.columns).flatMap(terminal.lines).map { $0 + "\n" }.joined()
            return text.isEmpty ? () : try output.write(text)
        }
        try output.write(event.json(at: now()) + [UInt8(ascii: "\n")])
    }

    /// Says what happens to the link that nobody has asked for, beside the output; the end of that is noticed with the next value.
    ///
    /// - Parameters:
    ///   - event: What happens.
    ///   - notes: Where to say it.
    package static func note(_ event: any Event, to notes: Output) {
        guard let event = event as? any EventText else { return }
        try? notes.line("lantern: " + PrintableText.escaped(event.line.text))
    }
}

extension Terminal {
    /// The line about an event with its time, cut to the terminal's width where that loses nothing, else broken.
    ///
    /// - Parameters:
    ///   - line: What has happened; it may hold anything and is escaped here.
    ///   - time: When.
    /// - Returns: The line to print, which may be several.
    package func line(_ line: EventLine, at time: Timestamp) -> String {
        if hasColor, !line.colors.isEmpty { return painted(line, at: time) }
        let style: TextStyle =
            switch line.tone {
            case .good: .green
            case .arrival: .cyan
            case .incoming, .warning: .yellow
            case .outgoing: .blue
            case .failure: .red
            case .quiet: .dim
            }
        let isWhole = line.tone == .failure || line.tone == .warning || line.tone == .quiet
        let room = max(20, columns - min(Self.indentation, columns))
        let lines =
            line.mayBeCut
            ? [FixedWidthText.fitted(PrintableText.escaped(line.text), columns: room)]
            : StyledText(line.text).indented(by: 0).wrapped(columns: columns == .max ? .max : room).map {
                PrintableText.escaped($0.plain)
            }
        let margin = "\n" + String(repeating: " ", count: Self.indentation)
        return styled(time.clock, .dim) + "  " + styled("\(line.mark)", style) + " "
            + lines.map { isWhole ? styled($0, style) : $0 }.joined(separator: margin)
    }

    /// The line with patches of its colours in place of its mark, wide enough to be seen across a room.
    private func painted(_ line: EventLine, at time: Timestamp) -> String {
        let width = 12 / max(1, line.colors.count)
        let patches = line.colors.map { painted(String(repeating: " ", count: width), $0) }
        let room = max(20, columns - min(27, columns))
        let text = FixedWidthText.fitted(PrintableText.escaped(line.text), columns: room)
        return styled(time.clock, .dim) + "  " + patches.joined(separator: " ") + " " + text
    }

    /// Columns that stand before the text of a line: the time, two blanks, the mark and a blank.
    static let indentation = 12
}
