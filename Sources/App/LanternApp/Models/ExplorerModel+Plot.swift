// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Foundation

extension ExplorerModel {
    /// How far back a plot reaches from its newest number, in milliseconds.
    private static var reach: Int64 { 60_000 }

    /// Numbers of a value over time, as the hub finds them in its octets.
    public struct Plot: Hashable, Sendable {
        /// A number, and when it was there.
        public struct Point: Hashable, Identifiable, Sendable {
            /// Its number in the log.
            public let id: Int
            /// When it was there.
            public let time: Date
            /// The number.
            public let number: Double
        }

        /// What the numbers are of, where a standard says.
        public let name: String?
        /// Their unit, where a standard says.
        public let unit: String?
        /// The numbers of the last minute, the oldest first; at least one.
        public let points: [Point]

        /// The least and the greatest number.
        public var range: ClosedRange<Double> {
            let numbers = points.map(\.number)
            return (numbers.min() ?? 0)...(numbers.max() ?? 0)
        }
    }

    /// The numbers of the last minute of what the device has said; `nil` when there is nothing to be drawn.
    public func plot(of handle: AttributeHandle) -> Plot? {
        let values = log(of: handle).filter { $0.kind.isReceived || $0.kind == .read }
        guard let newest = values.first, let of = newest.plotted else { return nil }
        let since = newest.time.milliseconds - Self.reach
        let points = values.prefix { $0.time.milliseconds >= since }.compactMap { value in
            value.plotted.map { Plot.Point(id: value.number, time: value.time.date, number: $0.number) }
        }
        return Plot(name: of.name, unit: of.unit, points: points.reversed())
    }

    /// All that was read, written and sent of a value, as far as the hub keeps it, as a file.
    public func logFile(of handle: AttributeHandle, as form: ExplorerLogFile) async -> Data {
        // What is shown is all that is left when the link is gone.
        var values = log(of: handle)
        await device.look { device throws(HubError) in values = try await device.values(of: handle) }
        guard let peer = explorer?.job.peer else { return Data() }
        return Data(form.octets(of: values.reversed(), from: peer))
    }
}
