// SPDX-License-Identifier: Apache-2.0

/// How strong a device was in the last minutes, in steps of two seconds, and how often it advertises.
public struct SignalHistory: Hashable, Sendable {
    /// How long a step is, in milliseconds.
    public static let step: Int64 = 2000
    /// Steps that are kept.
    public static let limit = 300
    /// Steps that a list shows.
    public static let shortLimit = 30
    /// What a step holds in which nothing was heard.
    public static let nothing: Int8 = 127
    /// Reports that come within so many milliseconds are of one advertisement, sent on several channels.
    private static let sameEvent: Int64 = 10
    /// Pauses between advertisements of which the median is taken.
    private static let pauses = 9

    /// The strongest report of each step in dBm, the newest at the end.
    public private(set) var steps: [Int8] = []
    /// The number of the last step: how many have passed since 1970.
    public private(set) var last: Int64 = 0
    /// Reports that have come.
    public private(set) var reports = 0
    private var lastAdvertisement: Timestamp?
    private var lastPauses: [Int64] = []

    /// Makes one of a device that was not heard yet.
    public init() {}

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - rssi: How strong it was, in dBm, where the radio has said so.
    ///   - isScanResponse: Whether it was asked for.
    ///   - now: When it came.
    public mutating func receive(_ rssi: Int8?, isScanResponse: Bool, at now: Timestamp) {
        reports += 1
        if !isScanResponse { measure(now) }
        guard let rssi, rssi != Self.nothing else { return }
        let number = Self.number(of: now)
        // A clock that was set: what was before it is of another time.
        if number < last || number - last >= Int64(Self.limit) { steps = [] }
        if !steps.isEmpty, number == last {
            steps[steps.count - 1] = max(steps[steps.count - 1], rssi)
            return
        }
        if !steps.isEmpty {
            steps += Array(repeating: Self.nothing, count: Int(number - last - 1))
        }
        steps.append(rssi)
        last = number
        if steps.count > Self.limit { steps.removeFirst(steps.count - Self.limit) }
    }

    /// The number of the step in which a moment lies.
    public static func number(of moment: Timestamp) -> Int64 {
        let whole = moment.milliseconds / step
        return moment.milliseconds < whole * step ? whole - 1 : whole
    }

    /// The milliseconds between two advertisements, without those that were missed; `nil` before the second.
    public var interval: Int? {
        guard !lastPauses.isEmpty else { return nil }
        return Int(lastPauses.sorted()[lastPauses.count / 2])
    }

    /// The last steps.
    ///
    /// - Parameter count: How many at most.
    /// - Returns: The steps, the newest at the end.
    public func latest(_ count: Int) -> [Int8] { Array(steps.suffix(count)) }

    private mutating func measure(_ now: Timestamp) {
        defer { lastAdvertisement = now }
        guard let before = lastAdvertisement else { return }
        let pause = now.milliseconds - before.milliseconds
        guard pause > Self.sameEvent else { return }
        lastPauses.append(pause)
        if lastPauses.count > Self.pauses { lastPauses.removeFirst() }
    }
}
