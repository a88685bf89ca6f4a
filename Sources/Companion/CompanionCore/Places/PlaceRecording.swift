// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
package import Detections

/// What becomes known by fixes and is to be stored: drives, and the places of detections that came before a fix.
///
/// ```
/// fixes, detections, time ─► this ─► fill, save ────► store
///                            this ◄─ filled, saved ◄─ store
///                            this ─► placed, drive ─► whoever is told
/// ```
///
/// The store is asked for one thing at a time, and answers at once or later. A drive is stored when it begins, every five
/// seconds while it goes on, and when it ends. What could not be stored is kept, within limits, for the next time.
///
/// | the store | becomes |
/// |---|---|
/// | free | filling or saving, when it is asked |
/// | filling, saving | free when it has done that; failed when it could not; forgotten when that counts no more |
/// | forgotten | free with its answer, whatever that is |
/// | failed | free at the deadline |
package struct PlaceRecording: Sendable {
    /// What comes of it.
    package enum Output: Sendable {
        /// The store is to fill in where detections were: ``filled(_:at:)`` tells what became of it.
        case fill([LatePlace])
        /// The store is to keep what was added to a drive: ``saved(_:at:)`` tells what became of it.
        case save(DrivePiece)
        /// To tell: a detection has a place now.
        case placed(DetectionPlaced)
        /// To tell: a drive has begun, has gone on or is at its end.
        case drive(DriveChanged)
    }

    /// A drive, or a part of it, that is not stored yet.
    private struct Part: Sendable {
        var source: Fix.Source
        var points: [DrivePoint] = []
        /// How long all of the drive is, in metres.
        var metres = 0.0
        /// Whether the drive begins with it, and whether it ends.
        var isNew = false
        var isEnded = false

        mutating func add(_ more: [DrivePoint], metres: Double) {
            points += more
            self.metres = metres
            let excess = points.count - PlaceRecording.pointCapacity
            if excess > 0 { points.removeFirst(excess) }
        }
    }

    private enum Store: Sendable {
        /// It can be asked.
        case free
        /// It fills in places.
        case filling([LatePlace])
        /// It keeps a part of a drive: of the one with this number, or of a new one.
        case saving(Part, of: Int64?)
        /// It does what counts no more.
        case forgotten
        /// It could not do what it was asked, and is left alone until then.
        case failed(until: HostInstant)
    }

    /// While a drive goes on, its points are stored so often, in seconds.
    private static var interval: UInt64 { 5 }
    /// So long a store that has failed is left alone, in seconds.
    private static var pause: UInt64 { 1 }
    /// Places that are filled in at once.
    private static var placesAtOnce: Int { 1000 }
    /// Points that are kept of a drive when they cannot be stored; the oldest go.
    private static var pointCapacity: Int { 100_000 }
    /// So long a detection may have waited to be stored, in milliseconds.
    private static var longestDelay: Int64 { 60_000 }

    private var late = LatePlaces()
    private var recorder = DriveRecorder()
    /// What is not stored yet.
    private var places: [LatePlace] = []
    private var parts: [Part] = []
    private var store = Store.free
    /// The drive that goes on, once it is stored.
    private var drive: Drive?
    /// When points of a drive that goes on may be stored again.
    private var nextSave = HostInstant.zero
    /// The moment of the last input.
    private var now = HostInstant.zero
    private var told = FIFO<Output>()

    /// Starts without a fix.
    package init() {}

    /// The number of the drive that goes on, once it is stored.
    package var openDrive: Int64? { drive?.id }

    /// The drive that goes on, once it is stored.
    package var currentDrive: Drive? { drive }

    /// When to call ``deadlineReached(at:)`` at the latest, once there are no more outputs.
    package var nextDeadline: HostInstant? {
        let end = recorder.deadline.map { HostInstant.zero.advanced(byMilliseconds: $0) }
        switch store {
        case .free: return HostInstant.earliest(end, parts.isEmpty ? nil : nextSave)
        case .filling, .saving, .forgotten: return end
        case .failed(let until): return HostInstant.earliest(end, until)
        }
    }

    /// The next thing that comes of it.
    package mutating func nextOutput() -> Output? {
        if let output = told.popFirst() { return output }
        guard case .free = store else { return nil }
        if !places.isEmpty {
            let some = Array(places.prefix(Self.placesAtOnce))
            places.removeFirst(some.count)
            store = .filling(some)
            return .fill(some)
        }
        guard let part = parts.first, part.isNew || part.isEnded || nextSave <= now else { return nil }
        parts.removeFirst()
        guard !part.points.isEmpty else {
            if part.isEnded { tellEnd() }
            return nextOutput()
        }
        let known = part.isNew ? nil : drive?.id
        nextSave = now.advanced(bySeconds: Self.interval)
        store = .saving(part, of: known)
        return .save(
            DrivePiece(drive: known, source: part.source, points: part.points, metres: part.metres))
    }

    // MARK: What comes

    /// Takes a fix that is used.
    package mutating func receive(_ used: UsedFix, at moment: Moment) {
        now = moment.now
        keep(late.receive(used.fix, at: ticks, pace: used.pace))
        take(
            recorder.receive(
                used.fix, speed: used.motion.speed, at: ticks, time: moment.time.milliseconds),
            from: used.fix.source)
    }

    /// Takes detections that were stored; those without a place get one if a fix follows.
    package mutating func receive(_ records: [DetectionRecord], at moment: Moment) {
        now = moment.now
        for record in records where record.sighting.position == nil {
            let received = record.sighting.received
            // They may have waited for the disk.
            let delay = min(Self.longestDelay, max(0, moment.time.milliseconds - received.milliseconds))
            late.wait(for: record.id, received: received, at: ticks - min(ticks, UInt64(delay)))
        }
    }

    /// Ends the drive that goes on: fixes come from another source from now on, or none come any more.
    package mutating func endDrive() { take(recorder.finish()) }

    /// Does what is due, and asks a store again that has failed.
    package mutating func deadlineReached(at moment: Moment) {
        now = moment.now
        if case .failed = store { store = .free }
        take(recorder.deadlineReached(at: ticks))
    }

    // MARK: What the store answers

    /// Takes what became of places that the store was to fill in.
    ///
    /// - Parameters:
    ///   - result: The detections that have their place now, and the numbers of their sources.
    ///   - moment: The moment.
    package mutating func filled(_ result: Result<[DetectionPlaced], StoreError>, at moment: Moment) {
        now = moment.now
        guard case .filling(let asked) = store else { return passOver() }
        store = .free
        switch result {
        case .success(let placed): for one in placed { told.append(.placed(one)) }
        case .failure(let error):
            leaveAlone()
            // What will never be stored is not tried again.
            guard error.isPassing else { return }
            let younger = places
            places = asked
            keep(younger)
        }
    }

    /// Takes what became of a part of a drive that the store was to keep.
    ///
    /// - Parameters:
    ///   - result: The drive as it is now; it has another number where the one that went on was deleted meanwhile.
    ///   - moment: The moment.
    package mutating func saved(_ result: Result<Drive, StoreError>, at moment: Moment) {
        now = moment.now
        guard case .saving(let part, let known) = store else { return passOver() }
        store = .free
        switch result {
        case .success(let saved):
            drive = saved
            if known != saved.id {
                told.append(.drive(DriveChanged(.begun, saved)))
            } else if !part.isEnded {
                told.append(.drive(DriveChanged(.extended, saved)))
            }
            if part.isEnded { tellEnd() }
        case .failure(let error):
            leaveAlone()
            if error.isPassing {
                putBack(part)
            } else if part.isEnded {
                // Its end is not there, but it is at its end.
                tellEnd()
            }
        }
    }

    private mutating func passOver() { if case .forgotten = store { store = .free } }

    private mutating func leaveAlone() { store = .failed(until: now.advanced(bySeconds: Self.pause)) }

    // MARK: What counts no more

    /// Handles that the store holds something else now: no number means what it did.
    package mutating func forget() {
        let isAsked =
            switch store {
            case .free, .failed: false
            case .filling, .saving, .forgotten: true
            }
        self = PlaceRecording()
        if isAsked { store = .forgotten }
    }

    /// Handles that drives were deleted: if the one that goes on is among them, another one begins behind it.
    ///
    /// - Parameter ids: Their numbers.
    package mutating func forget(drives ids: [Int64]) {
        guard let gone = drive?.id, ids.contains(gone) else { return }
        drive = nil
        if case .saving(let part, let known) = store, known == gone {
            store = .forgotten
            // What waits then is of those behind it.
            if part.isEnded { return }
        }
        if let end = parts.firstIndex(where: { $0.isEnded }) {
            parts.removeSubrange(...end)
        } else {
            parts = []
            _ = recorder.finish()
        }
    }

    // MARK: Parts

    /// The clock of drives and late places.
    private var ticks: UInt64 { now.microseconds / 1000 }

    private mutating func keep(_ more: [LatePlace]) {
        places += more
        if places.count > LatePlaces.capacity { places.removeFirst(places.count - LatePlaces.capacity) }
    }

    private mutating func take(_ outputs: [DriveRecorder.Output], from source: Fix.Source = .receiver) {
        for output in outputs {
            switch output {
            case .begins(let points, let metres):
                parts.append(Part(source: source, points: points, metres: metres, isNew: true))
            case .goesOn(let point, let metres):
                openPart(from: source)
                parts[parts.count - 1].add([point], metres: metres)
            case .ends:
                openPart(from: source)
                parts[parts.count - 1].isEnded = true
            }
        }
    }

    /// Sees to it that the last part goes on.
    private mutating func openPart(from source: Fix.Source) {
        if parts.last?.isEnded ?? true { parts.append(Part(source: source)) }
    }

    /// Puts a part before those that have come since it was to be stored.
    private mutating func putBack(_ part: Part) {
        guard !part.isEnded, let next = parts.first, !next.isNew else { return parts.insert(part, at: 0) }
        var whole = part
        if !next.points.isEmpty { whole.add(next.points, metres: next.metres) }
        whole.isEnded = next.isEnded
        parts[0] = whole
    }

    /// Tells that the drive which was stored is at its end.
    private mutating func tellEnd() {
        guard let drive else { return }
        told.append(.drive(DriveChanged(.ended, drive)))
        self.drive = nil
    }
}
