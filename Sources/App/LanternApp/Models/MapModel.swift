// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// What the screen Map shows: the sources of a part of the world, one by one or together, as the hub's map has them.
@MainActor @Observable public final class MapModel {
    /// What there is in the part that is seen; `nil` before it was read.
    public private(set) var view: MapView?
    /// Cameras that a list of known ones has there.
    public private(set) var known: [KnownCamera] = []
    /// The kinds that are wanted; none for all.
    public var types: Set<DetectionType> = [] { didSet { if types != oldValue { filterChanges += 1 } } }
    /// Whether what was muted or is one's own is shown.
    public var showsAll = false { didSet { if showsAll != oldValue { filterChanges += 1 } } }
    /// The ways of drives there, as fine as they can be seen, the newest drive last.
    public private(set) var routes: [DriveRoute] = []
    /// What could not be read, and what to do.
    public var trouble: String?

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private var part: (box: MapBox, zoom: Int)?
    /// How often the filter was changed: who shows the map follows anew whenever it was.
    public private(set) var filterChanges = 0

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// A source on the map.
    public struct Pin: Identifiable, Sendable {
        /// The source.
        public let listed: ListedSource
        /// Where it probably stands, else where it was heard best.
        public let position: Position
        /// How far off that may be, in metres; `nil` when that is not known.
        public let accuracy: Double?
        /// The number of the source.
        public var id: Int64 { listed.source.id }
    }

    /// The sources that stand alone.
    public var pins: [Pin] {
        (view?.pins ?? []).compactMap { listed in
            if let estimate = listed.source.estimate {
                return Pin(listed: listed, position: estimate.position, accuracy: estimate.radius)
            }
            return listed.source.strongestPlace.map {
                Pin(listed: listed, position: $0.position, accuracy: nil)
            }
        }
    }

    /// The sources that stand together.
    public var clusters: [MapView.Cluster] { view?.clusters ?? [] }

    /// Whether a way is that of the drive that goes on.
    public func isCurrent(_ route: DriveRoute) -> Bool { route.drive.id == app.drive.current?.id }

    /// Where the phone is; `nil` when that is not known.
    public var position: Position? { app.state?.location.position }

    /// Follows what is noticed, with the filter of the moment, as long as the screen is there; called in `.task(id: filterChanges)`.
    public func run() async {
        await app.hub.follow(
            DetectionEvent.self, DetectionsDeleted.self, DetectionsRestored.self, SourceChanged.self,
            DetectionPlaced.self, DriveChanged.self, DrivesDeleted.self
        ) { await read() }
    }

    /// Shows another part of the world.
    ///
    /// - Parameters:
    ///   - box: The part.
    ///   - width: How wide it is on the screen, in points.
    public func look(at box: MapBox, width: Double) async {
        let degrees = box.east >= box.west ? box.east - box.west : box.east - box.west + 360
        // At zoom 0 the world has 256 points.
        let worlds = width * 360 / (256 * max(degrees, 0.000_01))
        part = (box, min(worlds >= 1 ? Int(worlds.exponent) : 0, 20))
        await read()
    }

    private func read() async {
        guard let part else { return }
        let changes = filterChanges
        let filter = DetectionFilter(types: types, marks: showsAll ? [] : [.none])
        do throws(StoreError) {
            let view = try await app.hub.store.map(
                part.box, zoom: part.zoom, matching: filter, withHeat: false)
            let known = try await app.hub.store.knownCameras(in: part.box, limit: 200).cameras
            let routes = try await app.hub.store.routes(in: part.box, zoom: Double(part.zoom))
            guard self.part.map({ $0 == part }) == true, changes == filterChanges else { return }
            (self.view, self.known, self.routes, trouble) = (view, known, routes, nil)
        } catch {
            trouble = error.description
        }
    }
}
