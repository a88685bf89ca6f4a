// SPDX-License-Identifier: Apache-2.0

/// A key of the catalogue of strings, with what is put into it.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    let localized: Localized

    /// A key as it stands in the catalogue.
    public init(_ value: String) { localized = Localized(key: value) }

    /// A key that is written in code.
    public init(stringLiteral value: String) { self.init(value) }

    /// A key that is written in code, with values in it.
    public init(stringInterpolation: StringInterpolation) { localized = stringInterpolation.localized }

    /// Gathers the parts of a key.
    public struct StringInterpolation: StringInterpolationProtocol {
        var localized = Localized(key: "")

        /// Nothing gathered yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text.
        public mutating func appendLiteral(_ literal: String) {
            localized.key += literal.replacing("%", with: "%%")
            localized.isInterpolated = true
        }

        private mutating func append(_ specifier: String, _ argument: Text) {
            localized.key += specifier
            localized.arguments.append(argument)
            localized.isInterpolated = true
        }

        /// Adds a text.
        public mutating func appendInterpolation(_ string: String) { append("%@", Text(verbatim: string)) }

        /// Adds a number.
        public mutating func appendInterpolation<T>(_ value: T) where T: _FormatSpecifiable {
            append(value._specifier, value.text)
        }

        /// Adds a number in a way of C.
        public mutating func appendInterpolation<T>(_ value: T, specifier: String)
        where T: _FormatSpecifiable {
            append(specifier, Text(verbatim: String(format: specifier, value._arg)))
        }

        /// Adds a value in a format.
        public mutating func appendInterpolation<F>(_ input: F.FormatInput, format: F)
        where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
            append("%@", Text(formatted: input, format))
        }

        /// Adds a value, written by a formatter.
        public mutating func appendInterpolation<Subject>(_ subject: Subject, formatter: Formatter? = nil)
        where Subject: ReferenceConvertible {
            append("%@", Text(verbatim: formatter?.string(for: subject) ?? subject.description))
        }

        /// Adds an object, written by a formatter.
        public mutating func appendInterpolation<Subject>(_ subject: Subject, formatter: Formatter? = nil)
        where Subject: NSObject {
            append("%@", Text(verbatim: formatter?.string(for: subject) ?? subject.description))
        }

        /// Adds a text with a style.
        public mutating func appendInterpolation(_ text: Text) { append("%@", text) }

        /// Adds a picture.
        public mutating func appendInterpolation(_ image: Image) { append("%@", Text(image)) }

        /// Adds a date.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            append("%@", Text(date, style: style))
        }

        /// Adds a range of dates.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) { append("%@", Text(dates)) }

        /// Adds text with attributes.
        @_disfavoredOverload public mutating func appendInterpolation(_ attributedString: AttributedString) {
            append("%@", Text(attributedString))
        }

        /// Adds a text of the catalogue.
        @_disfavoredOverload public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
            append("%@", Text(resource))
        }
    }
}

/// What a key is, without its type's interface.
struct Localized: Equatable, Sendable {
    var key: String
    var arguments: [Text] = []
    /// Whether the key came from parts, in which a percent sign is written twice.
    var isInterpolated = false

    /// The text with the arguments put in.
    func written(_ pattern: String, _ write: (Text) -> String) -> String {
        guard isInterpolated else { return pattern }
        var result = ""
        var next = 0
        var rest = pattern[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            // `%2$@` names its argument, `%@` is the next.
            let digits = rest.prefix(while: \.isWholeNumber)
            var index = next
            if let number = Int(digits), rest.dropFirst(digits.count).first == "$" {
                index = number - 1
                rest = rest.dropFirst(digits.count + 1)
            } else {
                next += 1
            }
            if arguments.indices.contains(index) { result += write(arguments[index]) }
            rest = rest.drop { !$0.isLetter && $0 != "@" }
            rest = rest.first == "@" ? rest.dropFirst() : rest.dropSpecifier()
        }
        return result + rest
    }
}

extension Substring {
    /// Without the letters of a number's format, such as `lld`.
    fileprivate func dropSpecifier() -> Substring {
        let rest = drop { "hlqLzjt".contains($0) }
        return rest.dropFirst()
    }
}

/// A number that can be put into a key.
public protocol _FormatSpecifiable: Equatable {
    /// What the C library takes it as.
    associatedtype _Arg: CVarArg
    /// The value for the C library.
    var _arg: _Arg { get }
    /// How the key names it.
    var _specifier: String { get }
}

extension _FormatSpecifiable {
    /// The value as the system writes it: whole numbers in groups of digits, as the language has them.
    var text: Text {
        if let value = self as? any BinaryInteger { return Self.text(value) }
        return Text(verbatim: written)
    }

    private static func text<Whole: BinaryInteger>(_ value: Whole) -> Text {
        Text(formatted: value, IntegerFormatStyle<Whole>())
    }

    private var written: String {
        switch self {
        case let value as Double: String(format: "%f", value)
        case let value as Float: String(format: "%f", Double(value))
        case let value as CGFloat: String(format: "%f", Double(value))
        default: "\(self)"
        }
    }
}

extension Int: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Int64 { Int64(self) }
    /// How a key names it.
    public var _specifier: String { "%lld" }
}

extension Int8: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Int32 { Int32(self) }
    /// How a key names it.
    public var _specifier: String { "%d" }
}

extension Int16: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Int32 { Int32(self) }
    /// How a key names it.
    public var _specifier: String { "%d" }
}

extension Int32: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Int32 { self }
    /// How a key names it.
    public var _specifier: String { "%d" }
}

extension Int64: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Int64 { self }
    /// How a key names it.
    public var _specifier: String { "%lld" }
}

extension UInt: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: UInt64 { UInt64(self) }
    /// How a key names it.
    public var _specifier: String { "%llu" }
}

extension UInt8: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: UInt32 { UInt32(self) }
    /// How a key names it.
    public var _specifier: String { "%u" }
}

extension UInt16: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: UInt32 { UInt32(self) }
    /// How a key names it.
    public var _specifier: String { "%u" }
}

extension UInt32: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: UInt32 { self }
    /// How a key names it.
    public var _specifier: String { "%u" }
}

extension UInt64: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: UInt64 { self }
    /// How a key names it.
    public var _specifier: String { "%llu" }
}

extension Float: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Float { self }
    /// How a key names it.
    public var _specifier: String { "%f" }
}

extension Double: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: Double { self }
    /// How a key names it.
    public var _specifier: String { "%lf" }
}

extension CGFloat: _FormatSpecifiable {
    /// The value for the C library.
    public var _arg: CGFloat { self }
    /// How a key names it.
    public var _specifier: String { "%lf" }
}
