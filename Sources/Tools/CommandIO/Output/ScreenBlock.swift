// SPDX-License-Identifier: Apache-2.0

/// Lines at the end of a terminal that are drawn again in place.
struct ScreenBlock: Sendable {
    private var height = 0
    private var columns = 0

    /// The block before it was drawn.
    init() {}

    /// Draws over what was drawn before, without clearing first, so that nothing flickers.
    ///
    /// A terminal that has become narrower has broken the lines of before into more rows, or cut them, as it likes;
    /// then the whole screen is drawn anew.
    ///
    /// - Parameters:
    ///   - lines: The lines, none wider than the terminal.
    ///   - columns: The columns of the terminal.
    /// - Returns: What to print, in one piece.
    mutating func frame(_ lines: some Collection<String>, columns: Int) -> String {
        let isNarrower = height > 0 && columns < self.columns
        let up = isNarrower ? "\u{1B}[H\u{1B}[2J" : height > 0 ? "\r\u{1B}[\(height)A" : ""
        height = lines.count
        self.columns = columns
        return up + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
