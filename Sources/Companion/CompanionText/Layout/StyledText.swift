// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How text stands out, where there are colours.
public enum TextStyle: Hashable, Sendable {
    /// What it is about.
    case bold
    /// Text of less importance.
    case dim
    /// In red.
    case red
    /// In green.
    case green
    /// In yellow.
    case yellow
    /// In blue.
    case blue
    /// In magenta.
    case magenta
    /// In cyan.
    case cyan
}

/// Text whose parts stand out, without escapes: whoever shows it decides how, and escapes what came over the air.
public struct StyledText: Hashable, Sendable {
    /// A part of the text.
    public enum Part: Hashable, Sendable {
        /// As all text.
        case plain(String)
        /// What it is about.
        case strong(String)
        /// Text of less importance.
        case faint(String)
        /// What has to be looked at.
        case warning(String)
        /// What stands out in another way.
        case styled(String, TextStyle)
        /// A colour: its patch, where there are colours, and its digits.
        case color(RGBColor)
        /// A patch of a colour, so many columns wide.
        case patch(RGBColor, columns: Int)
    }

    /// The parts in order.
    public private(set) var parts: [Part]
    /// Blanks before what goes on in another line, where the text has to be broken.
    public private(set) var indent = 2

    /// Makes text of parts.
    public init(_ parts: Part...) { self.parts = parts }

    /// Makes text that does not stand out.
    ///
    /// - Parameter text: The text.
    public init(_ text: String) { parts = [.plain(text)] }

    /// Makes text that stands out.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: How; `nil` for not at all.
    public init(_ text: String, _ style: TextStyle?) {
        parts = [style.map { .styled(text, $0) } ?? .plain(text)]
    }

    /// The text with another margin for what goes on in another line.
    ///
    /// - Parameter indent: How many blanks that is.
    /// - Returns: The text.
    public func indented(by indent: Int) -> StyledText {
        var text = self
        text.indent = indent
        return text
    }

    /// Adds a part at the end.
    mutating func append(_ part: Part) { parts.append(part) }

    /// Joins two texts; what goes on in another line begins as that of the first does.
    public static func + (left: StyledText, right: StyledText) -> StyledText {
        var both = left
        both.parts += right.parts
        return both
    }

    /// Joins a text and more of it that does not stand out.
    public static func + (left: StyledText, right: String) -> StyledText { left + StyledText(right) }

    /// The text alone.
    public var plain: String {
        var text = ""
        for part in parts {
            switch part {
            case .plain(let more), .strong(let more), .faint(let more), .warning(let more),
                .styled(let more, _):
                text += more
            case .color(let color): text += color.description
            case .patch(_, let columns): text += String(repeating: "█", count: columns)
            }
        }
        return text
    }
}
