// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension WireText {
    /// Whether a person may take this name for another one: they differ only in case, blanks at an end, or in a
    /// character that keyboards and phones replace, such as the apostrophe of "Anna’s iPhone".
    ///
    /// - Parameter other: The other name.
    /// - Returns: Whether they look alike and are not the same.
    public func looksLike(_ other: WireText) -> Bool {
        self != other && looks == other.looks && !looks.isEmpty
    }

    private var looks: String {
        var text = String.UnicodeScalarView()
        for scalar in string.lowercased().unicodeScalars {
            switch scalar.value {
            case 0x27, 0x60, 0xB4, 0x02BC, 0x2018, 0x2019, 0x2032: text.append("'")
            case 0x22, 0x201C, 0x201D, 0x2033: text.append("\"")
            case 0x2D, 0x2010...0x2014, 0x2212: text.append("-")
            case 0x20, 0xA0, 0x2007, 0x202F: text.append(" ")
            default: text.append(scalar)
            }
        }
        while text.last == " " { text.removeLast() }
        return String(text[(text.firstIndex { $0 != " " } ?? text.endIndex)...])
    }
}
