// SPDX-License-Identifier: Apache-2.0

/// A balloon at a place.
public struct Marker<Label>: MapContent where Label: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let label: Label
    let coordinate: CLLocationCoordinate2D

    /// A balloon with a label.
    nonisolated public init(coordinate: CLLocationCoordinate2D, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.coordinate = coordinate
    }
}

extension Marker: MapEvaluated {
    nonisolated func things(_ place: Place) -> [MapThing] {
        // The letters in a balloon are not its title.
        let inner = place.inside("label")
        let titles = (label as? SwiftUI.Label<Text, Text>).map { inner.nodes(of: $0.title) }
        return [.at(coordinate, titles ?? inner.nodes(of: label), [])]
    }
}

extension Marker where Label == Text {
    /// A balloon with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate) { Text(titleKey) }
    }

    /// A balloon with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, coordinate: CLLocationCoordinate2D)
    where S: StringProtocol {
        self.init(coordinate: coordinate) { Text(title) }
    }
}

extension Marker where Label == SwiftUI.Label<Text, Text> {
    /// A balloon with a title of the catalogue and some letters.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, monogram: Text, coordinate: CLLocationCoordinate2D
    ) {
        self.init(coordinate: coordinate) {
            SwiftUI.Label {
                Text(titleKey)
            } icon: {
                monogram
            }
        }
    }

    /// A balloon with a title and some letters.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, monogram: Text, coordinate: CLLocationCoordinate2D
    ) where S: StringProtocol {
        self.init(coordinate: coordinate) {
            SwiftUI.Label {
                Text(title)
            } icon: {
                monogram
            }
        }
    }
}

extension Marker where Label == SwiftUI.Label<Text, Image> {
    /// A balloon with a title of the catalogue and a symbol.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, coordinate: CLLocationCoordinate2D
    ) {
        self.init(coordinate: coordinate) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    /// A balloon with a title and a symbol.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, coordinate: CLLocationCoordinate2D
    ) where S: StringProtocol {
        self.init(coordinate: coordinate) { SwiftUI.Label(title, systemImage: systemImage) }
    }

    /// A balloon with a title of the catalogue and a picture of the app.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, image: String, coordinate: CLLocationCoordinate2D
    ) {
        self.init(coordinate: coordinate) { SwiftUI.Label(titleKey, image: image) }
    }

    /// A balloon with a title and a picture of the app.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, image: String, coordinate: CLLocationCoordinate2D
    ) where S: StringProtocol {
        self.init(coordinate: coordinate) { SwiftUI.Label(title, image: image) }
    }
}

/// A view at a place.
public struct Annotation<Label, Content>: MapContent where Label: View, Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let label: Label
    nonisolated(unsafe) let content: Content
    let coordinate: CLLocationCoordinate2D

    /// A view with a label.
    nonisolated public init(
        coordinate: CLLocationCoordinate2D, anchor: UnitPoint = .center,
        accessoryAnchor: UnitPoint = .center, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.label = label()
        self.content = content()
        self.coordinate = coordinate
    }
}

extension Annotation: MapEvaluated {
    nonisolated func things(_ place: Place) -> [MapThing] {
        let parts = place.inside("content").nodes(of: content)
        return [.at(coordinate, place.inside("label").nodes(of: label), parts)]
    }
}

extension Annotation where Label == Text {
    /// A view with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, coordinate: CLLocationCoordinate2D, anchor: UnitPoint = .center,
        accessoryAnchor: UnitPoint = .center, @ViewBuilder content: () -> Content
    ) {
        self.init(coordinate: coordinate, content: content) { Text(titleKey) }
    }

    /// A view with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, coordinate: CLLocationCoordinate2D, anchor: UnitPoint = .center,
        accessoryAnchor: UnitPoint = .center, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(coordinate: coordinate, content: content) { Text(title) }
    }
}

extension MapThing {
    /// Something with a title at a place; what else it shows can be used by itself.
    fileprivate static func at(
        _ coordinate: CLLocationCoordinate2D, _ titles: [Node], _ parts: [Node]
    ) -> MapThing {
        let title = titles.map(\.spoken).filter { !$0.isEmpty }.joined(separator: ", ")
        let point = MKMapPoint(coordinate)
        return MapThing(
            node: Node(.marker, title, parts), rect: MKMapRect(x: point.x, y: point.y, width: 0, height: 0))
    }

    /// Something that is seen, and that VoiceOver passes over.
    fileprivate static func seen(_ text: String, _ rect: MKMapRect) -> MapThing {
        let node = Node(.shape, text)
        node.isSilent = true
        return MapThing(node: node, rect: rect)
    }
}

/// A circle on a map.
public struct MapCircle: MapContent, MapEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    let center: CLLocationCoordinate2D
    let radius: CLLocationDistance

    /// A circle of so many metres round a place.
    nonisolated public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
        (self.center, self.radius) = (center, radius)
    }

    nonisolated func things(_ place: Place) -> [MapThing] {
        let region = MKCoordinateRegion(
            center: center, latitudinalMeters: 2 * radius, longitudinalMeters: 2 * radius)
        return [.seen(String(format: "circle of %g m", radius), region.rect)]
    }
}

/// A line on a map.
public struct MapPolyline: MapContent, MapEvaluated {
    /// How a line goes from place to place.
    public struct ContourStyle: Sendable {
        /// Straight on the map.
        public static let straight = ContourStyle()
        /// By the shortest way on the earth.
        public static let geodesic = ContourStyle()
    }

    /// It is evaluated by itself.
    public typealias Body = Never
    let points: [MKMapPoint]

    /// A line from place to place.
    nonisolated public init(
        coordinates: [CLLocationCoordinate2D], contourStyle: MapPolyline.ContourStyle = .straight
    ) { points = coordinates.map { MKMapPoint($0) } }

    /// A line from point to point.
    nonisolated public init(points: [MKMapPoint], contourStyle: MapPolyline.ContourStyle = .straight) {
        self.points = points
    }

    nonisolated func things(_ place: Place) -> [MapThing] {
        [.seen("line of \(points.count) points", .around(points))]
    }
}

/// A form with corners on a map.
public struct MapPolygon: MapContent, MapEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    let points: [MKMapPoint]

    /// A form with its corners at places.
    nonisolated public init(coordinates: [CLLocationCoordinate2D]) {
        points = coordinates.map { MKMapPoint($0) }
    }

    /// A form with its corners at points.
    nonisolated public init(points: [MKMapPoint]) { self.points = points }

    nonisolated func things(_ place: Place) -> [MapThing] {
        [.seen("form of \(points.count) corners", .around(points))]
    }
}

extension MKMapRect {
    /// The smallest rectangle round points.
    static func around(_ points: [MKMapPoint]) -> MKMapRect {
        points.reduce(.null) { $0.union(MKMapRect(x: $1.x, y: $1.y, width: 0, height: 0)) }
    }
}

/// Where the person is.
public struct UserLocation {
    /// Where the person is, if it is known.
    public let location: CLLocation?
}

/// A dot where the person is.
public struct UserAnnotation<Content>: MapContent, MapEvaluated where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let content: ((UserLocation) -> Content)?

    /// A view where the person is.
    nonisolated public init(anchor: UnitPoint = .center, @ViewBuilder content: @escaping () -> Content) {
        self.content = { _ in content() }
    }

    /// A view where the person is, made from what is known of it.
    nonisolated public init(
        anchor: UnitPoint = .center, @ViewBuilder content: @escaping (UserLocation) -> Content
    ) { self.content = content }

    nonisolated func things(_ place: Place) -> [MapThing] {
        let parts = content.map { content in
            place.inside("user").nodes(of: content(UserLocation(location: nil)))
        }
        return [MapThing(node: Node(.marker, "My Location", parts ?? []), rect: .null)]
    }
}

extension UserAnnotation where Content == EmptyView {
    /// A dot where the person is.
    nonisolated public init(anchor: UnitPoint = .center) { content = nil }
}
