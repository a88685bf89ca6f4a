// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// What the list of drives shows.
@MainActor @Observable public final class DrivesModel {
    /// The drives, the newest first; `nil` before they were read.
    public private(set) var drives: [Drive]?
    /// What could not be done, and what to do.
    public var trouble: String?

    @ObservationIgnored private let app: AppModel

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// Follows drives, as long as the screen is there.
    public func run() async {
        await app.hub.follow(DriveChanged.self, DrivesDeleted.self) { await read() }
    }

    /// Reads the list again, as after a file was brought in.
    public func read() async {
        do throws(StoreError) { drives = try await app.hub.store.drives() } catch {
            trouble = error.description
        }
    }

    /// Deletes a drive for good; what was noticed on it stays.
    public func delete(_ drive: Drive) async {
        do throws(HubError) { try await app.hub.delete(drive: drive.id) } catch {
            trouble = error.description
        }
        await read()
    }
}

/// What the page of one drive shows: its way, and what was noticed on it.
@MainActor @Observable public final class DriveModel {
    /// So many detections are looked through for their sources.
    static let limit = 1000

    /// The drive and its way; `nil` before they were read, and when it is there no more.
    public private(set) var drive: (drive: Drive, points: [DrivePoint])?
    /// Whether it was read.
    public private(set) var isRead = false
    /// The sources that were noticed first on it.
    public private(set) var new: [ListedSource] = []
    /// The sources that were met again.
    public private(set) var met: [ListedSource] = []
    /// What could not be read, and what to do.
    public var trouble: String?

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let id: Int64

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The number of the drive.
    public init(_ app: AppModel, drive id: Int64) { (self.app, self.id) = (app, id) }

    /// Follows the drive, as long as the screen is there.
    public func run() async {
        await app.hub.follow(
            DriveChanged.self, DrivesDeleted.self, DetectionsDeleted.self, DetectionsRestored.self
        ) { await read() }
    }

    private func read() async {
        let store = app.hub.store
        do throws(StoreError) {
            drive = try await store.drive(id: id)
            isRead = true
            guard let drive = drive?.drive else { return }
            let records = try await store.records(
                matching: drive.filter, page: DetectionPage(limit: Self.limit))
            var wanted = DetectionFilter()
            wanted.sources = Set(records.compactMap(\.source))
            let sources =
                wanted.sources.isEmpty
                ? [] : try await store.sources(matching: wanted, page: SourcePage(limit: Self.limit))
            new = sources.filter { $0.source.firstSeen >= drive.begin }
            met = sources.filter { $0.source.firstSeen < drive.begin }
        } catch {
            trouble = error.description
        }
    }
}

extension Drive {
    /// What was noticed during it, to the end of its last millisecond.
    public var filter: DetectionFilter {
        DetectionFilter(since: begin, until: Timestamp(milliseconds: end.milliseconds + 1))
    }
}
