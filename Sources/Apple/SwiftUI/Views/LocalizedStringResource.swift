// SPDX-License-Identifier: Apache-2.0

/// A text of the catalogue, to be looked up later; Apple's Foundation has it, that of Linux not.
public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringInterpolation {
    let localized: Localized

    /// A text that is written in code.
    public init(stringLiteral value: String) { localized = Localized(key: value) }

    /// A text that is written in code, with values in it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        localized = stringInterpolation.parts.localized
    }

    /// A text of the catalogue.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        localized = keyAndValue.localized
    }

    /// The key, as it stands in the catalogue.
    public var key: String { localized.key }
}

extension String {
    /// The text of a resource; Apple's Foundation has it, that of Linux not.
    public init(localized resource: LocalizedStringResource) {
        self = resource.localized.written(resource.localized.key) { $0.written(in: nil) }
    }

    /// The text of a key; Apple's Foundation has it, that of Linux not.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = keyAndValue.localized.written(keyAndValue.localized.key) { $0.written(in: nil) }
    }

    /// A key of the catalogue, with what is put into it.
    public struct LocalizationValue: Equatable, Sendable, ExpressibleByStringInterpolation {
        let localized: Localized

        /// A key as it stands in the catalogue.
        public init(_ value: String) { localized = Localized(key: value) }

        /// A key that is written in code.
        public init(stringLiteral value: String) { self.init(value) }

        /// A key that is written in code, with values in it.
        public init(stringInterpolation: StringInterpolation) {
            localized = stringInterpolation.parts.localized
        }

        /// Gathers the parts of a key.
        public struct StringInterpolation: StringInterpolationProtocol {
            var parts: LocalizedStringKey.StringInterpolation

            /// Nothing gathered yet.
            public init(literalCapacity: Int, interpolationCount: Int) {
                parts = .init(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
            }

            /// Adds text.
            public mutating func appendLiteral(_ literal: String) { parts.appendLiteral(literal) }

            /// Adds a text.
            public mutating func appendInterpolation(_ string: String) { parts.appendInterpolation(string) }

            /// Adds a number.
            public mutating func appendInterpolation<T>(_ value: T) where T: _FormatSpecifiable {
                parts.appendInterpolation(value)
            }

            /// Adds a value in a format.
            public mutating func appendInterpolation<F>(_ input: F.FormatInput, format: F)
            where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
                parts.appendInterpolation(input, format: format)
            }
        }
    }
}
