// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Puts together advertisements whose data came in several reports.
///
/// Reports of several advertisers may be mixed. What takes too much room or too long comes out as it is, marked
/// as truncated: no more than ``countLimit`` advertisements of at most 1650 octets wait, none of them longer
/// than ``ageLimit`` after its last part.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
struct AdvertisementAssembler {
    /// Advertisements that may be incomplete at once.
    static let countLimit = 16
    /// How long the next part may take, in microseconds; the longest way to it on the air is 2.46 s.
    static let ageLimit: UInt64 = 3_000_000

    private struct Entry {
        var advertisement: ReceivedAdvertisement
        var deadline: HostInstant
    }

    /// What is incomplete; the one whose last part is oldest comes first.
    private var entries: [Entry] = []

    /// When ``expire(at:)`` must be called.
    var nextDeadline: HostInstant? { entries.first?.deadline }

    /// Forgets what is incomplete.
    mutating func removeAll() {
        entries = []
    }

    /// Adds a report.
    ///
    /// - Returns: The advertisement that it makes complete, or that has to go to make room for it.
    mutating func receive(
        _ report: HCI.ExtendedAdvertisingReport, at now: HostInstant
    ) -> ReceivedAdvertisement? {
        let isLast = report.type.isDisjoint(with: .moreToCome) || report.type.contains(.truncated)
        if isLast, entries.isEmpty { return ReceivedAdvertisement(report) }
        var advertisement = ReceivedAdvertisement(report)
        if let index = entries.firstIndex(where: { $0.advertisement.isOfSameEvent(as: advertisement) }) {
            let begun = remove(at: index)
            let room = HCI.extendedAdvertisingDataLimit - begun.data.count
            advertisement.isTruncated =
                advertisement.isTruncated || begun.isTruncated || report.data.count > room
            advertisement.data = begun.data + report.data.prefix(max(room, 0))
        }
        if isLast { return advertisement }
        entries.append(
            Entry(advertisement: advertisement, deadline: now.advanced(byMicroseconds: Self.ageLimit)))
        return entries.count > Self.countLimit ? truncateFirst() : nil
    }

    /// Gives up the next part of an advertisement.
    ///
    /// - Returns: One whose next part is overdue; call again until `nil` comes.
    mutating func expire(at now: HostInstant) -> ReceivedAdvertisement? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        return truncateFirst()
    }

    private mutating func truncateFirst() -> ReceivedAdvertisement {
        var advertisement = remove(at: 0)
        advertisement.isTruncated = true
        return advertisement
    }

    private mutating func remove(at index: Int) -> ReceivedAdvertisement {
        entries.remove(at: index).advertisement
    }
}

extension ReceivedAdvertisement {
    /// Whether two parts can belong together.
    fileprivate func isOfSameEvent(as other: ReceivedAdvertisement) -> Bool {
        address == other.address && setID == other.setID && eventType == other.eventType
            && isExtended == other.isExtended
    }
}
