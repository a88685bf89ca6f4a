// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionHub
public import Observation

/// The drive that the hub records now, as it says of it; its Live Activity goes along.
@MainActor @Observable public final class PhoneDrive {
    /// The drive that goes on; `nil` while there is none.
    public private(set) var current: Drive?

    @ObservationIgnored private let activity = DriveActivity()

    /// Makes one that knows of no drive.
    public init() {}

    /// Follows drives until the task is cancelled; one that goes on then is at its end.
    func run(on hub: Hub) async {
        let changes = hub.feed.subscribe()
        while let items = await changes.next() {
            let before = current
            for item in items {
                switch item.name {
                case "\(DriveChanged.name)": take(item.json)
                case "\(DrivesDeleted.name)": forget(item.json)
                // A drive that still goes on is told of again within seconds.
                case "\(EventsLost.name)": current = nil
                default: break
                }
            }
            if current != before { await activity.show(current) }
        }
        current = nil
        await activity.show(nil)
    }

    private func take(_ json: [UInt8]) {
        do throws(JSONDecodingError) {
            let event = try JSONReader.read(json)
            let drive = try Drive(event.needed("drive"))
            if try event.needed("change").text("change") != DriveChanged.Change.ended.rawValue {
                current = drive
            } else if current?.id == drive.id {
                current = nil
            }
        } catch {
            // The hub writes what it reads.
        }
    }

    private func forget(_ json: [UInt8]) {
        do throws(JSONDecodingError) {
            for id in try JSONReader.read(json).list("deleted") {
                if try Int64(id.number("deleted", in: 0...Int.max)) == current?.id { current = nil }
            }
        } catch {
            // As above.
        }
    }
}

extension Drive {
    /// Reads what an event says of a drive.
    fileprivate init(_ node: JSONNode) throws(JSONDecodingError) {
        func time(_ key: String) throws(JSONDecodingError) -> Timestamp {
            let member = try node.needed(key)
            guard let time = Timestamp(try member.text(key)) else { throw member.fault("no time") }
            return time
        }
        func count(_ key: String) throws(JSONDecodingError) -> Int {
            try node.needed(key).number(key, in: 0...Int.max)
        }
        self.init(
            id: Int64(try count("id")), begin: try time("begin"), end: try time("end"),
            metres: try node.needed("metres").number("metres", in: 0...Double.greatestFiniteMagnitude),
            source: nil, newSources: try count("sources_new"), knownSources: try count("sources_known"))
    }
}
