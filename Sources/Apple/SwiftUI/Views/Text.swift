// SPDX-License-Identifier: Apache-2.0

/// Text that people read.
public struct Text: Equatable, Sendable {
    indirect enum Storage: Equatable, Sendable {
        case verbatim(String)
        case localized(Localized)
        case formatted(Formatted)
        case date(Date, DateStyle)
        case dates(ClosedRange<Date>)
        case clock(Clock)
        case joined([Text])
    }

    /// How a date is written.
    public struct DateStyle: Equatable, Sendable {
        enum Kind: Equatable, Sendable { case time, date, relative, offset, timer }
        let kind: Kind
        /// The hour and minute.
        public static let time = DateStyle(kind: .time)
        /// The day.
        public static let date = DateStyle(kind: .date)
        /// How far away it is.
        public static let relative = DateStyle(kind: .relative)
        /// How far away it is, with a sign.
        public static let offset = DateStyle(kind: .offset)
        /// A clock that runs.
        public static let timer = DateStyle(kind: .timer)
    }

    /// Where a text that is too long loses its middle.
    public enum TruncationMode: Sendable {
        /// At the beginning.
        case head
        /// At the end.
        case tail
        /// In the middle.
        case middle
    }

    /// What letters are made.
    public enum Case: Sendable {
        /// Capitals.
        case uppercase
        /// Small letters.
        case lowercase
    }

    /// How a line under or through text looks.
    public struct LineStyle: Hashable, Sendable {
        /// One line.
        public static let single = LineStyle()
    }

    let storage: Storage
    var isHeading = false
    /// What VoiceOver says instead.
    var label: Storage?

    init(storage: Storage) { self.storage = storage }

    init<F>(formatted input: F.FormatInput, _ format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        storage = .formatted(Formatted(input, format))
    }

    init(_ key: Localized) { storage = .localized(key) }

    /// Text that is not looked up.
    public init(verbatim content: String) { storage = .verbatim(content) }

    /// Text that is not looked up.
    @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol {
        storage = .verbatim(String(content))
    }

    /// Text of the catalogue.
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        storage = .localized(key.localized)
    }

    /// Text of the catalogue.
    @_disfavoredOverload public init(_ resource: LocalizedStringResource) {
        storage = .localized(resource.localized)
    }

    /// Text with attributes.
    @_disfavoredOverload public init(_ attributedContent: AttributedString) {
        storage = .verbatim(String(attributedContent.characters))
    }

    /// A picture in text, which is not read out.
    public init(_ image: Image) { storage = .verbatim("") }

    /// A value in a format.
    public init<F>(_ input: F.FormatInput, format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(formatted: input, format)
    }

    /// A value, written by a formatter.
    public init<Subject>(_ subject: Subject, formatter: Formatter) where Subject: ReferenceConvertible {
        storage = .verbatim(formatter.string(for: subject) ?? "")
    }

    /// An object, written by a formatter.
    public init<Subject>(_ subject: Subject, formatter: Formatter) where Subject: NSObject {
        storage = .verbatim(formatter.string(for: subject) ?? "")
    }

    /// A date.
    public init(_ date: Date, style: Text.DateStyle) { storage = .date(date, style) }

    /// From one date to another.
    public init(_ dates: ClosedRange<Date>) { storage = .dates(dates) }

    /// From one date to another.
    public init(_ interval: DateInterval) { self.init(interval.start...interval.end) }

    /// A clock that runs.
    public init(
        timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        storage = .clock(
            Clock(
                interval: timerInterval, pause: pauseTime, countsDown: countsDown, showsHours: showsHours))
    }

    /// One text after another.
    public static func + (lhs: Text, rhs: Text) -> Text { Text(storage: .joined([lhs, rhs])) }
}

/// A value that is written when its language is known.
struct Formatted: Equatable, @unchecked Sendable {
    // What is formatted is a value, which nobody changes.
    private let write: (Locale) -> String

    init<F>(_ input: F.FormatInput, _ format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        write = { format.locale($0).format(input) }
    }

    func written(_ locale: Locale) -> String { write(locale) }

    static func == (lhs: Formatted, rhs: Formatted) -> Bool {
        let locale = Locale(identifier: "en_GB")
        return lhs.written(locale) == rhs.written(locale)
    }
}

extension Text {
    /// What is read, and the keys that are looked up for it.
    func written(in place: Place?) -> String {
        let values = place?.environment ?? EnvironmentValues()
        switch storage {
        case .verbatim(let text): return text
        case .localized(let localized):
            place?.pass.keys.append(localized.key)
            let pattern = place?.pass.store.strings(localized.key) ?? localized.key
            return localized.written(pattern) { $0.written(in: place) }
        case .formatted(let formatted): return formatted.written(values.locale)
        case .clock(let clock): return clock.written(place?.now ?? .now)
        case .date(let date, let style): return style.written(date, values, now: place?.now ?? .now)
        case .dates(let dates):
            let style = values.dateStyle(date: .abbreviated, time: .shortened)
            return style.format(dates.lowerBound) + " – " + style.format(dates.upperBound)
        case .joined(let texts): return texts.map { $0.written(in: place) }.joined()
        }
    }
}

extension EnvironmentValues {
    /// How dates are written in this language.
    func dateStyle(date: Date.FormatStyle.DateStyle, time: Date.FormatStyle.TimeStyle) -> Date.FormatStyle {
        Date.FormatStyle(
            date: date, time: time, locale: locale, calendar: calendar, timeZone: timeZone)
    }
}

extension Text.DateStyle {
    func written(_ date: Date, _ values: EnvironmentValues, now: Date) -> String {
        switch kind {
        case .time: return values.dateStyle(date: .omitted, time: .shortened).format(date)
        case .date: return values.dateStyle(date: .long, time: .omitted).format(date)
        case .relative, .offset, .timer:
            let seconds = Int(date.timeIntervalSince(now).rounded())
            let size = abs(seconds)
            let clock = String(format: "%d:%02d", size / 60, size % 60)
            if kind == .timer { return clock }
            let sign = seconds < 0 ? "-" : "+"
            if kind == .offset { return sign + (size < 60 ? "\(size) seconds" : "\(size / 60) minutes") }
            return size < 60 ? "\(size) sec" : "\(size / 60) min, \(size % 60) sec"
        }
    }
}

extension Text: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Text: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.text, written(in: place))
        node.isHeading = isHeading
        node.label = label.map { Text(storage: $0).written(in: place) }
        node.path = place.path
        return [node]
    }
}
