// SPDX-License-Identifier: Apache-2.0

import Companion

extension Terminal {
    /// Columns that stand before the text of a line of news: the time, two blanks, the mark and a blank.
    static let newsIndentation = Terminal.indentation

    /// A line of news: its time, a mark and a text, cut to the terminal's width.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - mark: One character that says what kind of news it is.
    ///   - markStyle: How the mark stands out.
    ///   - text: What has happened; it may hold anything and is escaped here.
    ///   - style: How the text stands out, if it does.
    /// - Returns: The line.
    func news(
        at now: Timestamp, _ mark: String, _ markStyle: Style, _ text: String, _ style: Style? = nil
    ) -> String {
        let room = max(20, columns - min(Self.newsIndentation, columns))
        let fitted = TerminalText.fitted(TerminalText.escaped(text), columns: room)
        return styled(now.clock, .dim) + "  " + styled(mark, markStyle) + " "
            + (style.map { styled(fitted, $0) } ?? fitted)
    }
}
