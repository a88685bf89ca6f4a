// SPDX-License-Identifier: Apache-2.0

/// Lines at the end of a terminal that are drawn again in place.
struct ScreenBlock: Sendable {
    private var height = 0

    /// The block before it was drawn.
    init() {}

    /// Draws over what was drawn before, without clearing first, so that nothing flickers.
    ///
    /// - Parameter lines: The lines, none wider than the terminal.
    /// - Returns: What to print, in one piece.
    mutating func frame(_ lines: [String]) -> String {
        let up = height > 0 ? "\r\u{1B}[\(height)A" : ""
        height = lines.count
        return up + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
