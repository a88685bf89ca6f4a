// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinderSimulated
import HubModel

/// Where the page is: as a person says it, the browser, or in the demo an invented route.
extension Engine {
    /// Where it is.
    var place: LocationSample? {
        switch locationSource {
        case .fixed: settings.location.position.map { .fixed($0) }
        case .browser, .route: tracker.whereabouts(at: instant)
        default: nil
        }
    }

    /// What says where it is: nobody has to set something in the demo.
    var locationSource: HubLocation.Source {
        let source = settings.location.source
        if browser == nil, source == .none { return .route }
        return [.fixed, .browser].contains(source) ? source : .none
    }

    var location: HubLocation {
        let source = locationSource
        guard source != .none else { return HubLocation() }
        guard let place else {
            return HubLocation(source: source, condition: .noFix, time: time)
        }
        if source == .fixed {
            return HubLocation(
                source: .fixed, condition: .fix, position: place.position, activity: "stationary", time: time)
        }
        return HubLocation(
            source: source, condition: .fix, accuracy: place.fix?.accuracy, position: place.position,
            altitude: place.fix?.altitude, speed: place.motion.speed, heading: place.motion.heading,
            activity: place.motion.activity,
            time: Timestamp(milliseconds: time.milliseconds - (place.fix?.age ?? 0)))
    }

    /// The clock of fixes, in milliseconds.
    private var instant: UInt64 { now.microseconds / 1000 }

    /// Takes a browser's place.
    func takePosition(_ request: EngineRequest) throws(RequestFault) {
        guard settings.location.source == .browser else {
            throw RequestFault(
                409, "This page does not take its place from the browser. Choose that in Settings first.")
        }
        func number(_ key: String) -> Double? {
            if case .number(let number)? = request.member(key) { number } else { nil }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude") else { throw .misread }
        receive(
            Fix(
                time: time.milliseconds, latitude: latitude, longitude: longitude,
                altitude: number("altitude"), accuracy: number("accuracy"),
                altitudeAccuracy: number("altitude_accuracy"), speed: number("speed"),
                course: number("heading"), source: .browser))
        let refusal = tracker.refusal
        answer(request.id) { json in
            json.object { json in
                json.field("used", refusal == nil)
                json.field("reason", refusal.map { "This place is not used: it \($0.text)." })
            }
        }
    }

    /// Follows the place for another second.
    func followPlace() {
        if locationSource == .route, let fix = route.fix(at: time) { receive(fix) }
        keep(drives.advance(to: instant, time: time))
        if showsPlaces { detections.placeSources() }
    }

    /// Judges where sources stand from now on: until a page shows it, that is left.
    func showPlaces() {
        showsPlaces = true
        detections.placeSources()
    }

    /// Ends the drive when places come from another source.
    func changePlace(from old: HubLocation.Source) {
        guard locationSource != old else { return }
        keep(drives.finish(at: time))
        tracker = LocationTracker()
    }

    private func receive(_ fix: Fix) {
        if let changed = tracker.receive(fix, at: instant) { publish(changed) }
        guard tracker.refusal == nil, let last = tracker.last else { return }
        for place in late.receive(last.fix, at: instant) {
            guard let source = detections.fill(place) else { continue }
            keep(detection: place.id)
            publish(DetectionPlaced(place, source: source))
        }
        keep(drives.receive(last.fix, speed: last.motion.speed, at: instant, time: time))
    }

    /// Waits for the place of a detection that has none.
    func awaitPlace(of record: DetectionRecord) {
        guard record.sighting.position == nil, locationSource != .none else { return }
        late.wait(for: record.id, received: record.sighting.received, at: instant)
    }

    // MARK: Keeping

    /// Has kept what is new of drives, and tells it.
    func keep(_ changes: [InMemoryDriveStore.Change]) {
        for change in changes {
            switch change {
            case .told(let change, let drive): publish(DriveChanged(change, counted(drive)))
            case _ where !keeps: break
            case .remove(let row): keep("drives", nil) { $0.field("id", row) }
            case .add(let row, let piece):
                var json = JSONWriter()
                json.object { json in
                    json.field("id", row)
                    json.field("drive", piece.drive)
                    json.field("source", "\(piece.source.keyword)")
                    json.field("metres", piece.metres)
                    json.key("points")
                    json.array { json in for point in piece.points { Self.write(point, into: &json) } }
                }
                keep("drives", json.octets) { $0.field("id", row) }
            }
        }
    }

    private static func write(_ point: DrivePoint, into json: inout JSONWriter) {
        json.array { json in
            json.value(point.time)
            json.value(point.latitude)
            json.value(point.longitude)
            json.value(point.altitude)
            json.value(point.accuracy)
            json.value(point.speed)
        }
    }

    /// Takes back a piece of a drive that was kept.
    ///
    /// - Returns: Whether it could be read.
    func restoreDrive(_ node: JSONNode) -> Bool {
        guard let row = try? node.needed("id").number("The number", in: 1...1e15),
            let drive = try? node.needed("drive").number("The drive", in: 1...1e15),
            let word = try? node.needed("source").text("The source"), let source = Fix.Source(keyword: word),
            let metres = try? node.needed("metres").number("The length", in: 0...1e9),
            let nodes = try? node.list("points"), !nodes.isEmpty
        else { return false }
        var points: [DrivePoint] = []
        for one in nodes {
            guard case .array(let values) = one.value, values.count == 6 else { return false }
            let numbers = values.map { value -> Double? in
                if case .number(let number) = value.value { number } else { nil }
            }
            guard let time = numbers[0].flatMap({ Int64(exactly: $0) }), let latitude = numbers[1],
                let longitude = numbers[2], Position(latitude: latitude, longitude: longitude) != nil
            else { return false }
            points.append(
                DrivePoint(
                    time: time, latitude: latitude, longitude: longitude, altitude: numbers[3],
                    accuracy: numbers[4], speed: numbers[5]))
        }
        drives.restore(
            DrivePiece(drive: Int64(drive), source: source, points: points, metres: metres), row: Int64(row))
        return true
    }
}
