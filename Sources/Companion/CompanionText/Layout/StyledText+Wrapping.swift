// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

extension StyledText {
    /// The text in lines that are broken between words where there is no room for it.
    ///
    /// - Parameters:
    ///   - columns: Columns that there are; only a word that is wider goes beyond them.
    ///   - patch: Columns of the patch beside the digits of a colour; 0 where there are no colours.
    /// - Returns: The lines; those after the first begin with ``indent`` blanks.
    package func wrapped(columns: Int, patch: Int = 0) -> [StyledText] {
        let pieces = parts.flatMap { Self.pieces(of: $0, patch: patch) }
        guard columns < .max, pieces.reduce(0, { $0 + $1.columns }) > columns else { return [self] }
        // In a terminal that is so narrow there is no room for a margin.
        let indent = indent * 2 > columns ? min(2, columns / 4) : indent
        let blanks = String(repeating: " ", count: indent)
        let margin = Piece(part: .plain(blanks), columns: indent, isBlank: true)
        var lines: [StyledText] = []
        var line = StyledText()
        var used = 0
        var gap: [Piece] = []
        var word: [Piece] = []

        func width(_ pieces: [Piece]) -> Int { pieces.reduce(0) { $0 + $1.columns } }
        func place() {
            guard !word.isEmpty else { return }
            // A word that no line has room for gains nothing by one of its own.
            if used > 0, used + width(gap) + width(word) > columns, indent + width(word) <= columns {
                lines.append(line)
                line = StyledText()
                gap = [margin]
                used = 0
            }
            for piece in gap + word { line.append(piece.part) }
            used += width(gap) + width(word)
            (gap, word) = ([], [])
        }
        for piece in pieces {
            if piece.isBlank {
                place()
                gap.append(piece)
            } else {
                word.append(piece)
            }
        }
        place()
        return lines + [line]
    }

    /// A word, or what stands between two of them, or part of one of them.
    private struct Piece {
        let part: Part
        let columns: Int
        let isBlank: Bool
    }

    private static func pieces(of part: Part, patch: Int) -> [Piece] {
        switch part {
        case .color(let color):
            return [Piece(part: part, columns: color.description.utf8.count + patch, isBlank: false)]
        case .patch(_, let columns): return [Piece(part: part, columns: columns, isBlank: false)]
        case .plain(let text): return pieces(of: text) { .plain($0) }
        case .strong(let text): return pieces(of: text) { .strong($0) }
        case .faint(let text): return pieces(of: text) { .faint($0) }
        case .warning(let text): return pieces(of: text) { .warning($0) }
        case .styled(let text, let style): return pieces(of: text) { .styled($0, style) }
        }
    }

    private static func pieces(of text: String, _ part: (String) -> Part) -> [Piece] {
        var pieces: [Piece] = []
        var run = ""
        func end() {
            guard let first = run.first else { return }
            let columns = FixedWidthText.width(PrintableText.escaped(run))
            pieces.append(Piece(part: part(run), columns: columns, isBlank: first == " "))
            run = ""
        }
        for character in text {
            if let first = run.first, (first == " ") != (character == " ") { end() }
            run.append(character)
        }
        end()
        return pieces
    }
}
