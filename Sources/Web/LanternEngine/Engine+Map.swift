// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections

/// The map: what stands in a part of it, the ways driven, and what others know.
extension Engine {
    func performMap(_ request: EngineRequest) throws(RequestError) {
        switch (request.method, request.path.dropFirst().first, request.path.count) {
        case ("GET", nil, 1): try answerMap(request)
        case ("GET", "routes", 2):
            guard let box = request.box else { throw .misread }
            let routes = drives.routes(in: box, zoom: request.number("zoom") ?? 0)
            answer(request.id) { json in
                json.object { DrawnRoutes.writeValues(of: routes, into: &$0) }
            }
        case ("GET", "known", 2): answerKnown(request)
        case ("GET", "known", 3): answerKnownSets(request.id)
        case ("POST", "known", 2): try takeKnown(request)
        case ("DELETE", "known", 2):
            guard let name = request.filterText("name"), known.remove(name) != nil else {
                throw RequestError(404, "There is no set of this name. It may have been removed.")
            }
            keep(known: name)
            answer(request.id)
        default: throw .needsHub
        }
    }

    private func answerMap(_ request: EngineRequest) throws(RequestError) {
        guard let box = request.box, let zoom = request.integer("zoom"), (0...24).contains(zoom) else {
            throw .misread
        }
        showPlaces()
        var isHot = false
        if case .bool(let flag)? = request.filterValue("heat") { isHot = flag }
        let view = detections.map(
            MapFrame(box: box, zoom: zoom), matching: DetectionFilter(request.filter, at: time),
            withHeat: isHot)
        answer(request.id) { json in json.object { view.writeValues(into: &$0, at: time) } }
    }

    // MARK: What others know

    private func answerKnown(_ request: EngineRequest) {
        let (cameras, more) = known.cameras(in: request.box ?? .world)
        answer(request.id) { json in
            json.object { KnownCamera.writeValues(of: cameras, more: more, into: &$0) }
        }
    }

    private func answerKnownSets(_ id: Int64) {
        answer(id) { json in
            json.object { json in
                json.key("sets")
                json.array { json in
                    for kept in known.sets { json.object { KnownSetShown(kept.set).writeValues(into: &$0) } }
                }
            }
        }
    }

    /// Takes a piece of a file with cameras, as ``takeImport(_:)`` does; the last one is answered with what the set has.
    private func takeKnown(_ request: EngineRequest) throws(RequestError) {
        guard let octets = request.octets("octets"), let name = request.text("name"),
            (1...ReferenceCameras.longestName).contains(name.utf8.count),
            case .bool(let isLast)? = request.member("last")
        else { throw .misread }
        let goesOn = knownFile?.name == name && !request.isFirst
        var file = goesOn ? knownFile?.file ?? KnownCameraFile() : KnownCameraFile()
        knownFile = nil
        file.receive(octets)
        if isLast { file.finish() }
        // Whatever a file has whose end is missing.
        if let broken = request.text("broken").map({ ImportError(1, $0) }) ?? file.broken {
            throw RequestError(
                422,
                "The file cannot be read: line \(broken.line), \(broken.reason). Nothing was changed.")
        }
        guard known.count(without: name) + file.cameras.count <= InMemoryReferenceCameras.limit else {
            throw RequestError(
                413,
                "A page holds \(InMemoryReferenceCameras.limit) known cameras and no more. Nothing was changed: remove a set, or take a smaller file."
            )
        }
        guard isLast else {
            knownFile = (name, file)
            return answer(request.id)
        }
        if let emptiness = file.emptiness {
            throw RequestError(422, "The file \(emptiness). Nothing was changed.")
        }
        let origin = file.origin.isEmpty ? request.text("origin") ?? "" : file.origin
        let set = ReferenceCameras(
            name: name, cameras: file.cameras.count, origin: origin, version: file.version, imported: time)
        let replaced = known.replace(set, with: file.cameras)
        keep(known: name)
        let event = KnownSetImported(
            set, replaced: replaced, passed: file.passed, refused: file.refused, note: file.note)
        answer(request.id) { json in
            json.object { json in
                event.writeValues(into: &json)
                json.key("faults")
                json.array { json in for kind in file.faults { kind.write(into: &json) } }
            }
        }
    }

    // MARK: Keeping

    /// Has a set kept, or what was kept of it removed.
    private func keep(known name: String) {
        guard keeps else { return }
        let row = known.sets.first { $0.set.name == name }.map { kept in
            var json = JSONWriter()
            json.object { json in
                json.field("name", kept.set.name)
                json.field("origin", kept.set.origin)
                json.field("version", kept.set.version)
                json.field("imported", kept.set.imported.description)
                json.key("cameras")
                json.array { json in
                    for camera in kept.cameras {
                        json.array { json in
                            json.value(camera.reference)
                            json.value(camera.name)
                            json.value(camera.position.latitude)
                            json.value(camera.position.longitude)
                            for direction in camera.directions { json.value(direction) }
                        }
                    }
                }
            }
            return json.octets
        }
        keep("known", row) { $0.field("id", name) }
    }

    /// Takes back a set that was kept.
    ///
    /// - Returns: Whether it could be read.
    func restoreKnown(_ node: JSONNode) -> Bool {
        guard let name = try? node.needed("name").text("The name"),
            let origin = try? node.needed("origin").text("The origin"),
            let version = try? node.needed("version").text("The version"),
            let text = try? node.needed("imported").text("The time"), let imported = Timestamp(text),
            let nodes = try? node.list("cameras")
        else { return false }
        var cameras: [ListedCamera] = []
        for one in nodes {
            guard case .array(let values) = one.value, values.count >= 4,
                case .text(let reference) = values[0].value, case .text(let called) = values[1].value,
                case .number(let latitude) = values[2].value, case .number(let longitude) = values[3].value,
                let position = Position(latitude: latitude, longitude: longitude)
            else { return false }
            let directions = values[4...].compactMap {
                if case .number(let degrees) = $0.value { degrees } else { nil }
            }
            cameras.append(
                ListedCamera(
                    reference: reference, name: called, position: position, directions: directions, tags: ""))
        }
        let set = ReferenceCameras(
            name: name, cameras: cameras.count, origin: origin, version: version, imported: imported)
        _ = known.replace(set, with: cameras)
        return true
    }
}
