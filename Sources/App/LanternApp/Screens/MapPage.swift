// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CoreLocation
import MapKit
import SwiftUI

/// Where things were noticed: one by one, or together where they are too many, as the hub's own map has them.
struct MapPage: View {
    private let app: AppModel
    @State private var model: MapModel
    @State private var camera = MapCameraPosition.automatic
    @State private var chosen: Thing?
    @State private var shown: Int64?
    @State private var isListShown = false
    @State private var settings: SettingsModel

    /// Something on the map that can be chosen.
    private enum Thing: Hashable {
        case source(Int64)
        case cluster(MapView.Cluster)
    }

    init(_ app: AppModel) {
        self.app = app
        _model = State(initialValue: MapModel(app))
        _settings = State(initialValue: SettingsModel(app))
    }

    var body: some View {
        NavigationStack {
            GeometryReader { geometry in
                Map(position: $camera, selection: $chosen) { content }
                    .mapControls {
                        MapUserLocationButton()
                        MapCompass()
                        MapScaleView()
                    }
                    .onMapCameraChange(frequency: .onEnd) { context in
                        let box = MapBox(context.region)
                        Task { await model.look(at: box, width: geometry.size.width) }
                    }
            }
            .safeAreaInset(edge: .bottom) { DriveBar(app: app, settings: settings) }
            .navigationTitle("Map")
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button("In view", systemImage: "list.bullet") { isListShown = true }
                }
                ToolbarItem(placement: .secondaryAction) {
                    Toggle("Muted ones and mine, too", isOn: $model.showsAll)
                }
                ToolbarItem(placement: .secondaryAction) { NavigationLink("Drives") { DrivesView(app) } }
            }
            .navigationDestination(item: $shown) { SourceView(app, $0) }
            .sheet(isPresented: $isListShown) { MapList(model: model) { show($0) } }
            .alert(on: $model.trouble)
        }
        .task(id: model.filterChanges) { await model.run() }
        .onChange(of: chosen) { _, thing in
            switch thing {
            case .source(let id): shown = id
            case .cluster(let cluster): camera = .region(MKCoordinateRegion(cluster.box))
            case nil: return
            }
            // The same can be chosen again.
            chosen = nil
        }
    }

    @MapContentBuilder private var content: some MapContent {
        if app.place.condition.isKnown { UserAnnotation() }
        ForEach(Array(model.routes.enumerated()), id: \.offset) { _, route in
            MapPolyline(coordinates: route.points.map { CLLocationCoordinate2D($0) })
                .stroke(
                    model.isCurrent(route) ? Color.accentColor : Color.secondary,
                    lineWidth: model.isCurrent(route) ? 4 : 3)
        }
        ForEach(model.pins) { pin in
            Marker(
                pin.listed.source.label, systemImage: Words.symbol(pin.listed.source.type),
                coordinate: CLLocationCoordinate2D(pin.position)
            )
            .tag(Thing.source(pin.id))
            if let accuracy = pin.accuracy {
                MapCircle(center: CLLocationCoordinate2D(pin.position), radius: accuracy)
                    .foregroundStyle(Color.accentColor.opacity(0.07))
            }
        }
        ForEach(model.clusters, id: \.self) { cluster in
            Annotation("\(cluster.count) sources", coordinate: CLLocationCoordinate2D(cluster.position)) {
                Text(cluster.count, format: .number)
                    .padding(8)
                    .background(.regularMaterial)
                    .clipShape(Circle())
            }
            .tag(Thing.cluster(cluster))
        }
        ForEach(model.known) { camera in
            Annotation(camera.name, coordinate: CLLocationCoordinate2D(camera.position)) {
                Image(systemName: "diamond").accessibilityLabel("Known camera \(camera.name)")
            }
        }
    }

    private func show(_ source: Int64) {
        isListShown = false
        shown = source
    }
}

/// The same as the map, to be read.
private struct MapList: View {
    let model: MapModel
    let show: (Int64) -> Void

    var body: some View {
        NavigationStack {
            List {
                if model.view?.sources == 0 {
                    ContentUnavailableView(
                        "Nothing here", systemImage: "map",
                        description: Text("Nothing was noticed in this part of the map."))
                }
                ForEach(model.pins) { pin in
                    Button {
                        show(pin.id)
                    } label: {
                        SourceRow(listed: pin.listed)
                    }
                }
                if !model.clusters.isEmpty {
                    Section {
                        ForEach(model.clusters, id: \.self) { cluster in
                            LabeledContent(
                                Words.place(cluster.position, accuracy: nil, .metric), value: cluster.count,
                                format: .number)
                        }
                    } header: {
                        Text("Several together")
                    } footer: {
                        Text("Come closer on the map to see them one by one.")
                    }
                }
            }
            .navigationTitle("In view")
        }
    }
}

extension PhonePlace.Condition {
    /// Whether the phone knows where it is.
    fileprivate var isKnown: Bool { if case .known = self { true } else { false } }
}

extension CLLocationCoordinate2D {
    init(_ position: Position) {
        self.init(latitude: position.latitude, longitude: position.longitude)
    }
}

extension MKCoordinateRegion {
    /// A box with some room around, so that what it has can be told apart.
    fileprivate init(_ box: MapBox) {
        let width = box.east >= box.west ? box.east - box.west : box.east - box.west + 360
        var middle = box.west + width / 2
        if middle > 180 { middle -= 360 }
        self.init(
            center: CLLocationCoordinate2D(latitude: (box.south + box.north) / 2, longitude: middle),
            span: MKCoordinateSpan(
                latitudeDelta: max(0.002, (box.north - box.south) * 1.3),
                longitudeDelta: min(360, max(0.002, width * 1.3))))
    }
}

extension MapBox {
    /// The part of the world that a map shows; over the date line its east is west of its west.
    fileprivate init(_ region: MKCoordinateRegion) {
        let (center, span) = (region.center, region.span)
        let isWorld = span.longitudeDelta >= 360
        func wrapped(_ longitude: Double) -> Double {
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        }
        self.init(
            west: isWorld ? -180 : wrapped(center.longitude - span.longitudeDelta / 2),
            south: max(-90, center.latitude - span.latitudeDelta / 2),
            east: isWorld ? 180 : wrapped(center.longitude + span.longitudeDelta / 2),
            north: min(90, center.latitude + span.latitudeDelta / 2))
    }
}
