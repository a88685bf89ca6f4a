// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import Detections
import FlockFinderSimulated
import HubModel

/// Where the page is: as a person says it, the browser, or in the demo an invented route.
extension Engine {
    /// Where it is.
    var place: LocationSample? { whereabouts.sample(of: time, at: moment) }

    var location: HubLocation { whereabouts.location(at: moment) }

    /// Takes what the settings say of the place.
    func choosePlace() {
        guard placeChoice.choose(kept.settings.location) else { return }
        whereabouts = Whereabouts(placeChoice.source)
        recording.endDrive()
        storePlaces()
    }

    /// Takes a browser's place.
    func takePosition(_ request: EngineRequest) throws(RequestError) {
        guard whereabouts.source == .browser else {
            throw RequestError(
                409, "This page does not take its place from the browser. Choose that in Settings first.")
        }
        func number(_ key: String) -> Double? {
            if case .number(let number)? = request.member(key) { number } else { nil }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude") else { throw .misread }
        whereabouts.receive(
            Fix(
                time: time.milliseconds, latitude: latitude, longitude: longitude,
                altitude: number("altitude"), accuracy: number("accuracy"),
                altitudeAccuracy: number("altitude_accuracy"), speed: number("speed"),
                course: number("heading"), source: .browser), at: moment)
        let refusal = whereabouts.refusal
        storePlaces()
        answer(request.id) { json in
            json.object { json in
                json.field("used", refusal == nil)
                json.field("reason", refusal)
            }
        }
    }

    /// Follows the place for another second.
    func followPlace() {
        if whereabouts.source == .route, let fix = route.fix(at: time) {
            whereabouts.receive(fix, at: moment)
        }
        storePlaces()
        if showsPlaces { detections.placeSources() }
    }

    /// Does for drives what is due.
    func refreshPlaces() {
        guard let due = recording.nextDeadline, due <= now else { return }
        recording.deadlineReached(at: moment)
        storePlaces()
    }

    /// Judges where sources stand from now on: until a page shows it, that is left.
    func showPlaces() {
        showsPlaces = true
        detections.placeSources()
    }

    /// Tells what is new of the place, stores what becomes known by it, and tells that.
    private func storePlaces() {
        while let output = whereabouts.nextOutput() {
            switch output {
            case .changed(let event): publish(event)
            case .used(let fix): recording.receive(fix, at: moment)
            }
        }
        while let output = recording.nextOutput() {
            switch output {
            case .fill(let places): recording.filled(.success(fill(places)), at: moment)
            case .save(let piece):
                let (drive, changes) = drives.save(piece)
                keep(changes)
                recording.saved(.success(counted(drive)), at: moment)
            case .placed(let event): publish(event)
            case .drive(let event): publish(event)
            }
        }
    }

    private func fill(_ places: [LatePlace]) -> [DetectionPlaced] {
        var placed: [DetectionPlaced] = []
        for place in places {
            guard let source = detections.fill(place) else { continue }
            keep(detection: place.id)
            placed.append(DetectionPlaced(place, source: source))
        }
        return placed
    }

    // MARK: Keeping

    /// Has kept what is new of drives, and removed what was deleted of them.
    func keep(_ changes: [InMemoryDriveStore.Change]) {
        guard keeps else { return }
        for change in changes {
            switch change {
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
