// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import MapKit
import SwiftUI
import Testing

private let paris = CLLocationCoordinate2D(latitude: 48.8584, longitude: 2.2945)
private let london = CLLocationCoordinate2D(latitude: 51.5007, longitude: -0.1246)

@MainActor @Observable private final class Atlas {
    var chosen: String?
    var position = MapCameraPosition.automatic
    var seen: [MapCameraUpdateContext] = []
    var log: [String] = []
}

private struct Sight: Identifiable {
    let id: String
    let coordinate: CLLocationCoordinate2D
}

private struct Sights: MapContent {
    let sights: [Sight]
    var body: some MapContent {
        ForEach(sights) { Marker($0.id, coordinate: $0.coordinate) }
        if sights.isEmpty { UserAnnotation() }
    }
}

private struct Scoped: View {
    let atlas: Atlas
    @Namespace private var scope
    var body: some View {
        VStack {
            MapCompass(scope: scope)
            Map(scope: scope) { Marker("Paris", coordinate: paris) }
        }
        .mapScope(scope)
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct MapTests {
    private let atlas = Atlas()

    @Test("the map's maths is Mercator's") func maths() {
        let middle = MKMapPoint(CLLocationCoordinate2D(latitude: 0, longitude: 0))
        #expect(middle == MKMapPoint(x: 134_217_728, y: 134_217_728))
        let point = MKMapPoint(paris)
        #expect(
            abs(point.x - 135_928_631.205) < 0.01 && abs(point.y - 92_347_381.267) < 0.01
                && abs(point.coordinate.latitude - 48.8584) < 1e-9)
        let corner = MKMapPoint(CLLocationCoordinate2D(latitude: 85.0511287798, longitude: -180))
        #expect(abs(corner.x) < 1e-6 && abs(corner.y) < 0.01)
        #expect(abs(MKMetersPerMapPointAtLatitude(0) - 0.149291) < 1e-6)
        #expect(abs(MKMapPointsPerMeterAtLatitude(60) - 2 * MKMapPointsPerMeterAtLatitude(0)) < 1e-6)
        #expect(abs(MKMetersBetweenMapPoints(point, MKMapPoint(london)) - 340_500) < 2000)
        let region = MKCoordinateRegion(center: paris, latitudinalMeters: 1000, longitudinalMeters: 2000)
        #expect(abs(region.span.latitudeDelta - 0.008983) < 1e-5)
        #expect(abs(region.span.longitudeDelta - 0.02731) < 1e-4)
    }

    @Test("rectangles of the map have what both have, and what is round both") func rectangles() {
        let (one, two) = (
            MKMapRect(x: 0, y: 0, width: 10, height: 10), MKMapRect(x: 5, y: 5, width: 10, height: 20)
        )
        #expect(one.union(two) == MKMapRect(x: 0, y: 0, width: 15, height: 25))
        #expect(one.intersection(two) == MKMapRect(x: 5, y: 5, width: 5, height: 5))
        #expect(one.intersection(two.offsetBy(dx: 20, dy: 0)).isNull && MKMapRect.null.union(one) == one)
        #expect(one.insetBy(dx: 1, dy: 2) == MKMapRect(x: 1, y: 2, width: 8, height: 6))
        #expect(MKMapRect.world.contains(two) && !one.contains(two) && one.contains(MKMapPoint(x: 1, y: 1)))
    }

    @Test("a marker is chosen by its title") func selection() throws {
        @Bindable var atlas = atlas
        let (model, chosen) = (atlas, $atlas.chosen)
        let screen = Screen {
            Map(selection: chosen) {
                Sights(sights: [Sight(id: "Paris", coordinate: paris)])
                Marker("London", systemImage: "clock", coordinate: london).tag("Big Ben")
                Annotation("Calais", coordinate: london) {
                    Button("Ferry") { model.log.append("ferry") }
                }
                Marker("Dover", monogram: Text("D"), coordinate: london).tag("Dover")
                MapCircle(center: paris, radius: 50).foregroundStyle(.blue)
                MapPolyline(coordinates: [paris, london]).stroke(.red, lineWidth: 2)
            }
        }
        try screen.press("Paris")
        #expect(atlas.chosen == "Paris" && screen.description.contains("marker “Paris” selected"))
        try screen.press("London")
        #expect(atlas.chosen == "Big Ben")
        try screen.press("Dover")
        #expect(atlas.chosen == "Dover")
        #expect(throws: Screen.Failure.self) { try screen.press("Calais") }
        try screen.press("Ferry")
        #expect(atlas.log == ["ferry"] && screen.description.contains("shape “circle of 50 m” silent"))
    }

    @Test("the app is told where the map is, and how a person moves it") func camera() throws {
        @Bindable var atlas = atlas
        let (model, position) = (atlas, $atlas.position)
        let bounds = MapCameraBounds(minimumDistance: 200, maximumDistance: 50_000)
        let screen = Screen(size: CGSize(width: 300, height: 600)) {
            Map(position: position, bounds: bounds, interactionModes: [.pan, .zoom]) {
                Marker("Paris", coordinate: paris)
            }
            .onMapCameraChange { model.seen.append($0) }
        }
        let first = try #require(atlas.seen.first)
        #expect(atlas.seen.count == 1 && abs(first.region.center.latitude - paris.latitude) < 0.001)
        #expect(first.rect.contains(MKMapPoint(paris)))
        try screen.moveMap(to: london, distance: 1_000_000)
        let moved = try #require(atlas.seen.last)
        #expect(atlas.seen.count == 2 && moved.camera.distance == 50_000 && atlas.position.positionedByUser)
        #expect(moved.camera.centerCoordinate.latitude == london.latitude)
        #expect(abs(moved.region.span.latitudeDelta - 0.2407) < 0.001)
        #expect(throws: Screen.Failure.self) { try screen.moveMap(heading: 90) }
        atlas.position = .region(
            MKCoordinateRegion(center: paris, latitudinalMeters: 500, longitudinalMeters: 500))
        #expect(screen.mapCamera?.centerCoordinate.latitude == paris.latitude && atlas.seen.count == 3)
        #expect(
            !atlas.position.positionedByUser && atlas.position.region != nil && atlas.position.rect == nil)
    }

    @Test("without a position of the app's, all that is on the map is seen") func automatic() throws {
        let screen = Screen {
            Map(initialPosition: .automatic) {
                Marker("Paris", coordinate: paris)
                Marker("London", coordinate: london)
            }
        }
        let region = try #require(screen.mapCamera?.region(CGSize(width: 100, height: 100)))
        #expect(region.rect.contains(MKMapPoint(paris)) && region.rect.contains(MKMapPoint(london)))
    }

    @Test("controls show where the person is, and turn the map back") func controls() throws {
        @Bindable var atlas = atlas
        let position = $atlas.position
        let screen = Screen {
            Map(position: position) { UserAnnotation() }
                .mapControls {
                    MapUserLocationButton()
                    MapCompass()
                    MapScaleView()
                }
        }
        #expect(throws: Screen.Failure.self) { try screen.press("Compass") }
        try screen.moveMap(to: paris, distance: 3000, heading: 90)
        #expect(screen.texts == ["200 m"])
        try screen.press("Compass")
        #expect(screen.mapCamera?.heading == 0 && !screen.shows("Compass"))
        try screen.press("My Location")
        #expect(
            atlas.position.followsUserLocation && atlas.position.fallbackPosition?.camera?.distance == 3000)
    }

    @Test("a control beside the map finds it by its scope") func scope() throws {
        let atlas = atlas
        let screen = Screen { Scoped(atlas: atlas) }
        try screen.moveMap(heading: 45)
        try screen.press("Compass")
        #expect(screen.mapCamera?.heading == 0)
    }
}
