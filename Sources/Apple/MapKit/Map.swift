// SPDX-License-Identifier: Apache-2.0

/// The things on a map, with what they are selected by.
public struct MapContentView<SelectedValue, Content> where SelectedValue: Hashable, Content: MapContent {
    let position: Binding<MapCameraPosition>?
    let first: MapCameraPosition
    let bounds: MapCameraBounds?
    let modes: MapInteractionModes
    let scope: Namespace.ID?
    let selection: Binding<SelectedValue?>?
    let content: Content
}

extension MapContentView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

/// A map: what lies on it is found by its title.
public struct Map<Content> where Content: View {
    let content: Content
}

extension Map: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Map: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.inside("map").nodes(of: content) }
}

/// What a map does, for tests and for its controls.
final class MapHandle {
    var camera: MapCamera
    let modes: MapInteractionModes
    let move: (MapCamera) -> Void
    let show: (MapCameraPosition) -> Void

    init(
        _ camera: MapCamera, _ modes: MapInteractionModes, move: @escaping (MapCamera) -> Void,
        show: @escaping (MapCameraPosition) -> Void
    ) {
        (self.camera, self.modes, self.move, self.show) = (camera, modes, move, show)
    }
}

extension MapContentView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let things = place.inside("things").things(of: content)
        let own = place.state("position", first: first)
        let position = position ?? own
        let moved = place.state("camera", first: nil as MapCamera?)
        var camera = position.wrappedValue.camera(place, things, moved.wrappedValue)
        camera = bounds?.limited(camera) ?? camera
        let map = Node(.map)
        map.children = things.map { thing in
            select(thing)
            return thing.node
        }
        let handle = MapHandle(camera, modes) { new in
            moved.wrappedValue = new
            position.wrappedValue = MapCameraPosition(.user)
        } show: {
            position.wrappedValue = $0
        }
        map.extra = handle
        let settings = place.environment.map
        if let scope, let box = settings.scopes[scope] { box.set(handle, place) }
        let controls = place.with { $0.map.handle = handle }.inside("controls")
        map.children += settings.controls.map { controls.nodes(of: $0) } ?? []
        let region = camera.region(place.environment.room)
        let context = MapCameraUpdateContext(camera: camera, region: region, rect: region.rect)
        place.onChange(of: camera, initial: true) { _, _ in
            for action in settings.changed { action(context) }
        }
        return [map]
    }

    /// Lets something on the map be selected by pressing it.
    private func select(_ thing: MapThing) {
        guard let selection, let tag = thing.tag else { return }
        let wanted = tag.base as? SelectedValue ?? (tag.base as? SelectedValue?).flatMap { $0 }
        guard let value = wanted else { return }
        thing.node.isSelected = selection.wrappedValue == value
        thing.node.press = { selection.wrappedValue = value }
    }
}

extension MapCameraPosition {
    /// From where this is seen.
    fileprivate func camera(_ place: Place, _ things: [MapThing], _ moved: MapCamera?) -> MapCamera {
        switch kind {
        case .camera(let camera): return camera
        case .rect(let rect): return MapCamera(seeing: region ?? MKCoordinateRegion(rect))
        case .userLocation(_, let fallback): return fallback.camera(place, things, moved)
        case .user: return moved ?? MapCamera(seeing: MKCoordinateRegion(.world))
        case .automatic:
            let all = things.reduce(MKMapRect.null) { $0.union($1.rect) }
            guard !all.isNull else { return MapCamera(seeing: MKCoordinateRegion(.world)) }
            // A single place is seen with its surroundings, and several with some room around.
            let least =
                1000 * MKMapPointsPerMeterAtLatitude(MKMapPoint(x: all.midX, y: all.midY).coordinate.latitude)
            let (width, height) = (max(least, all.width * 1.2), max(least, all.height * 1.2))
            let rect = MKMapRect(
                x: all.midX - width / 2, y: all.midY - height / 2, width: width, height: height)
            return MapCamera(seeing: MKCoordinateRegion(rect))
        }
    }
}

extension Screen {
    /// Moves the map with fingers, so that another place is in its middle, or more or less is seen.
    package func moveMap(
        to center: CLLocationCoordinate2D? = nil, distance: Double? = nil, heading: Double? = nil,
        pitch: Double? = nil
    ) throws(Failure) {
        guard let handle = reachable.flatMap(\.all).compactMap({ $0.extra as? MapHandle }).first else {
            throw Failure(description: "There is no map.")
        }
        var camera = handle.camera
        var needed: MapInteractionModes = []
        if let center {
            camera.centerCoordinate = center
            needed.insert(.pan)
        }
        if let distance {
            camera.distance = distance
            needed.insert(.zoom)
        }
        if let heading {
            camera.heading = heading
            needed.insert(.rotate)
        }
        if let pitch {
            camera.pitch = pitch
            needed.insert(.pitch)
        }
        guard handle.modes.isSuperset(of: needed) else {
            throw Failure(description: "The map cannot be moved so.")
        }
        handle.move(camera)
        update()
    }

    /// From where the map is looked at.
    package var mapCamera: MapCamera? {
        reachable.flatMap(\.all).compactMap { ($0.extra as? MapHandle)?.camera }.first
    }
}
