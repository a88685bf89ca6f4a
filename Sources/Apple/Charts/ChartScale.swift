// SPDX-License-Identifier: Apache-2.0

/// The values of one direction of a chart.
struct ChartScale {
    /// The values that marks have, or that the app says.
    let values: [Plotted]
    /// The ends of the scale, where there are numbers or dates.
    let low: Double?
    let high: Double?
    private let isDate: Bool

    init(_ settings: ChartSettings.Direction, _ extents: [Mark.Extent]) {
        let all = settings.domain?.values ?? extents.flatMap(\.all)
        var known: Set<Plotted.Position> = []
        values = all.filter { known.insert($0.position).inserted }
        let numbers = values.compactMap(\.number)
        low = numbers.min()
        high = numbers.max()
        isDate = values.contains { if case .date = $0.position { true } else { false } }
    }

    /// The place of a value on the scale: its number, or which of the categories it is.
    func place(_ plotted: Plotted) -> Double? {
        plotted.number ?? values.firstIndex { $0.position == plotted.position }.map(Double.init)
    }

    /// The first and the last place, and how far beyond the first is seen where so much is seen at once.
    func window(_ visible: Double) -> (first: Double, last: Double, seen: Double)? {
        if let low, let high { return (low, high, visible) }
        // Of categories, so many are seen.
        return values.isEmpty ? nil : (0, Double(values.count - 1), max(0, visible - 1))
    }

    /// A value of the scale by its place.
    func plotted(_ number: Double) -> Plotted {
        if low == nil { return values[min(values.count - 1, max(0, Int(number)))] }
        if isDate { return Plotted(Date(timeIntervalSinceReferenceDate: number)) }
        switch values.first?.primitive {
        case is Int: return Plotted(Int(number.rounded()))
        case is Float: return Plotted(Float(number))
        case is CGFloat: return Plotted(CGFloat(number))
        case is Decimal: return Plotted(Decimal(number))
        default: return Plotted(number)
        }
    }

    /// The values at which the axis is marked: all categories, or some five numbers or dates.
    func marked(_ values: AxisMarkValues, _ calendar: Calendar) -> [Plotted] {
        guard let low, let high else { return self.values }
        switch values.kind {
        case .explicit(let explicit): return explicit
        case .step(let step): return numbers(from: low, to: high, by: step)
        case .unit(let unit, let count):
            guard isDate else { return [] }
            return dates(from: low, to: high, unit, count, calendar)
        case .automatic(let desired):
            if isDate {
                guard let unit = ChartScale.units.first(where: { (high - low) / $0.1 <= Double(desired) })
                else {
                    return dates(from: low, to: high, .year, 10, calendar)
                }
                return dates(from: low, to: high, unit.0, 1, calendar)
            }
            guard high > low else { return [plotted(low)] }
            let rough = (high - low) / Double(max(1, desired - 1))
            let power = pow(10, log10(rough).rounded(.down))
            let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough - power * 1e-9 } ?? rough
            return numbers(from: low, to: high, by: step)
        }
    }

    private static let units: [(Calendar.Component, Double)] = [
        (.second, 1), (.minute, 60), (.hour, 3600), (.day, 86_400), (.month, 2_629_746), (.year, 31_556_952),
    ]

    private func numbers(from low: Double, to high: Double, by step: Double) -> [Plotted] {
        guard step > 0, (high - low) / step < 1000 else { return [] }
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        return first > last ? [] : stride(from: first, through: last, by: 1).map { plotted($0 * step) }
    }

    private func dates(
        from low: Double, to high: Double, _ unit: Calendar.Component, _ count: Int, _ calendar: Calendar
    ) -> [Plotted] {
        let (start, end) = (
            Date(timeIntervalSinceReferenceDate: low), Date(timeIntervalSinceReferenceDate: high)
        )
        var dates: [Plotted] = []
        var date = calendar.dateInterval(of: unit, for: start)?.start ?? start
        while date <= end, dates.count < 1000 {
            if date >= start { dates.append(Plotted(date, unit: unit)) }
            guard let next = calendar.date(byAdding: unit, value: max(1, count), to: date) else { break }
            date = next
        }
        return dates
    }

    /// The texts of the axis.
    func axis(_ settings: ChartSettings.Direction, _ place: Place) -> [Node] {
        if settings.isHidden { return [] }
        let title: [Node] = .seen([settings.title].compactMap { $0.map(place.written) })
        guard !values.isEmpty else { return title }
        let content = settings.axis ?? [AxisMarks()]
        let nodes = content.enumerated().flatMap { index, one in
            place.inside("\(index)").axisNodes(of: one, self)
        }
        let group = Node(.group, "", nodes)
        group.isSilent = true
        return title + (nodes.isEmpty ? [] : [group])
    }
}
