// SPDX-License-Identifier: Apache-2.0

/// A value that can be shown in a chart.
public protocol Plottable {
    /// What it is shown as.
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol
    /// What it is shown as.
    var primitivePlottable: Self.PrimitivePlottable { get }
    /// The value that is shown as another, if there is one.
    init?(primitivePlottable: Self.PrimitivePlottable)
}

/// A value that is shown as itself.
public protocol PrimitivePlottableProtocol: Plottable where Self == Self.PrimitivePlottable {}

extension PrimitivePlottableProtocol {
    /// Itself.
    public var primitivePlottable: Self { self }
    /// Itself.
    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Plottable where Self: RawRepresentable, Self.RawValue: Plottable {
    /// What the raw value is shown as.
    public var primitivePlottable: Self.RawValue.PrimitivePlottable { rawValue.primitivePlottable }

    /// The value with the raw value that is shown as another.
    public init?(primitivePlottable: Self.RawValue.PrimitivePlottable) {
        guard let rawValue = RawValue(primitivePlottable: primitivePlottable) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Int: PrimitivePlottableProtocol {}
extension Int8: PrimitivePlottableProtocol {}
extension Int16: PrimitivePlottableProtocol {}
extension Int32: PrimitivePlottableProtocol {}
extension Int64: PrimitivePlottableProtocol {}
extension UInt: PrimitivePlottableProtocol {}
extension UInt8: PrimitivePlottableProtocol {}
extension UInt16: PrimitivePlottableProtocol {}
extension UInt32: PrimitivePlottableProtocol {}
extension UInt64: PrimitivePlottableProtocol {}
extension Float: PrimitivePlottableProtocol {}
extension Double: PrimitivePlottableProtocol {}
extension CGFloat: PrimitivePlottableProtocol {}
extension Decimal: PrimitivePlottableProtocol {}
extension String: PrimitivePlottableProtocol {}
extension Date: PrimitivePlottableProtocol {}

/// A value with what it is called.
public struct PlottableValue<Value> where Value: Plottable {
    let label: Text
    let value: Value
    var unit: Calendar.Component?

    /// A value with a name of the catalogue.
    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(label: Text(labelKey), value: value)
    }

    /// A value with a name.
    @_disfavoredOverload public static func value<S>(
        _ label: S, _ value: Value
    ) -> PlottableValue<Value> where S: StringProtocol { PlottableValue(label: Text(label), value: value) }

    /// A value with a name.
    public static func value(_ label: Text, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(label: label, value: value)
    }
}

extension PlottableValue where Value == Date {
    /// A date of which only a part counts, with a name of the catalogue.
    public static func value(
        _ labelKey: LocalizedStringKey, _ value: Date, unit: Calendar.Component,
        calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue<Date> { .value(Text(labelKey), value, unit: unit, calendar: calendar) }

    /// A date of which only a part counts, with a name.
    @_disfavoredOverload public static func value<S>(
        _ label: S, _ value: Date, unit: Calendar.Component, calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue<Date> where S: StringProtocol {
        .value(Text(label), value, unit: unit, calendar: calendar)
    }

    /// A date of which only a part counts, with a name.
    public static func value(
        _ label: Text, _ value: Date, unit: Calendar.Component, calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue<Date> {
        let start = calendar.dateInterval(of: unit, for: value)?.start ?? value
        return PlottableValue(label: label, value: start, unit: unit)
    }
}

/// A value of any type, with its place on a scale.
struct Plotted {
    enum Position: Hashable {
        case number(Double)
        case date(Date)
        case category(String)
    }

    let position: Position
    /// What it is shown as.
    let primitive: Any
    var unit: Calendar.Component?

    init<Value: Plottable>(_ value: Value, unit: Calendar.Component? = nil) {
        primitive = value.primitivePlottable
        self.unit = unit
        position =
            switch primitive {
            case let date as Date: .date(date)
            case let number as Decimal: .number(NSDecimalNumber(decimal: number).doubleValue)
            case let number as any BinaryInteger: .number(Double(number))
            case let number as any BinaryFloatingPoint: .number(Double(number))
            default: .category("\(primitive)")
            }
    }

    init<Value>(_ value: PlottableValue<Value>) { self.init(value.value, unit: value.unit) }

    /// The value as one of a type.
    func value<P: Plottable>(as type: P.Type) -> P? {
        (primitive as? P.PrimitivePlottable).flatMap(P.init(primitivePlottable:))
    }

    /// Its place among numbers; dates in seconds.
    var number: Double? {
        switch position {
        case .number(let number): number
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .category: nil
        }
    }

    /// The value as it is read.
    func written(_ values: EnvironmentValues) -> String {
        switch position {
        case .number(let number): return number.formatted(.number.locale(values.locale))
        case .category(let name): return name
        case .date(let date):
            var (day, time) = (Date.FormatStyle.DateStyle.abbreviated, Date.FormatStyle.TimeStyle.shortened)
            switch unit {
            case .hour, .minute, .second: break
            case nil: break
            default: time = .omitted
            }
            if unit == .minute || unit == .second { day = .omitted }
            return Date.FormatStyle(
                date: day, time: time, locale: values.locale, calendar: values.calendar,
                timeZone: values.timeZone
            ).format(date)
        }
    }
}
