// SPDX-License-Identifier: Apache-2.0

/// Which parts of a date a person can set.
public struct DatePickerComponents: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: UInt
    /// The set with a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The time of day.
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    /// The day.
    public static let date = DatePickerComponents(rawValue: 2)
}

/// A date to be chosen.
public struct DatePicker<Label> where Label: View {
    /// Which parts of a date a person can set.
    public typealias Components = DatePickerComponents

    let selection: Binding<Date>
    let earliest: Date?
    let latest: Date?
    let components: DatePickerComponents
    let label: Label

    init(
        _ selection: Binding<Date>, _ earliest: Date?, _ latest: Date?, _ components: DatePickerComponents,
        _ label: Label
    ) {
        self.selection = selection
        self.earliest = earliest
        self.latest = latest
        self.components = components
        self.label = label
    }
}

extension DatePicker: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension DatePicker: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.datePicker, "", place.inside("label").nodes(of: label))
        let values = place.environment
        node.value =
            values.dateStyle(
                date: components.contains(.date) ? .abbreviated : .omitted,
                time: components.contains(.hourAndMinute) ? .shortened : .omitted
            ).format(selection.wrappedValue)
        node.set = { selection.wrappedValue = allowed(Date(timeIntervalSince1970: $0), values.calendar) }
        node.isEnabled = values.isEnabled
        return [node]
    }

    /// A date with the parts that cannot be set as they were, within what is allowed.
    private func allowed(_ date: Date, _ calendar: Calendar) -> Date {
        let now = selection.wrappedValue
        func parts(_ date: Date, _ components: Set<Calendar.Component>) -> DateComponents {
            calendar.dateComponents(components, from: date)
        }
        let days = parts(components.contains(.date) ? date : now, [.era, .year, .month, .day])
        let times = parts(components.contains(.hourAndMinute) ? date : now, [.hour, .minute, .second])
        var wanted = days
        (wanted.hour, wanted.minute, wanted.second) = (times.hour, times.minute, times.second)
        let made = calendar.date(from: wanted) ?? date
        return min(max(made, earliest ?? made), max(latest ?? made, earliest ?? made))
    }
}

extension DatePicker {
    /// A date with a label.
    nonisolated public init(
        selection: Binding<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        self.init(selection, nil, nil, displayedComponents, label())
    }

    /// A date within bounds, with a label.
    nonisolated public init(
        selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, label())
    }

    /// A date from an earliest on, with a label.
    nonisolated public init(
        selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        self.init(selection, range.lowerBound, nil, displayedComponents, label())
    }

    /// A date to a latest, with a label.
    nonisolated public init(
        selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        self.init(selection, nil, range.upperBound, displayedComponents, label())
    }
}

extension DatePicker where Label == Text {
    /// A date with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, nil, nil, displayedComponents, Text(titleKey))
    }

    /// A date within bounds, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, Text(titleKey))
    }

    /// A date from an earliest on, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, range.lowerBound, nil, displayedComponents, Text(titleKey))
    }

    /// A date to a latest, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, nil, range.upperBound, displayedComponents, Text(titleKey))
    }

    /// A date with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, nil, nil, displayedComponents, Text(title))
    }

    /// A date within bounds, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, Text(title))
    }

    /// A date from an earliest on, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, range.lowerBound, nil, displayedComponents, Text(title))
    }

    /// A date to a latest, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, nil, range.upperBound, displayedComponents, Text(title))
    }
}
