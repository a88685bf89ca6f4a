// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import FlockFinderCompanion
public import Observation

/// What is known of one source: why it was raised, how strong it was when, and what people say of it.
@MainActor @Observable public final class SourceModel {
    /// How many of its detections are fetched.
    static let limit = 500

    /// The source; `nil` before it was read, and when it is there no more.
    public private(set) var listed: ListedSource?
    /// Whether it was read.
    public private(set) var isRead = false
    /// Why it was raised.
    public private(set) var reasons: [SourceReason] = []
    /// Its last detections, the oldest first.
    public private(set) var detections: [DetectionRecord] = []
    /// A camera that a list of known ones has near.
    public private(set) var known: KnownNearby?
    /// What could not be done, and what to do.
    public var trouble: String?

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let id: Int64

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The number of the source.
    public init(_ app: AppModel, source id: Int64) { (self.app, self.id) = (app, id) }

    /// Follows what is known of it, as long as the screen is there.
    public func run() async {
        await app.hub.follow(
            DetectionEvent.self, DetectionsDeleted.self, DetectionsRestored.self, SourceChanged.self
        ) { await read() }
    }

    private func read() async {
        let store = app.hub.store
        do throws(StoreError) {
            guard let listed = try await store.listedSource(id: id) else {
                (self.listed, isRead, detections, reasons) = (nil, true, [], [])
                return
            }
            let records = try await store.records(
                matching: DetectionFilter(source: id), page: DetectionPage(limit: Self.limit))
            (detections, reasons) = (
                records.reversed(),
                SourceReason.reasons(of: listed.source, confidence: listed.confidence, last: records.first)
            )
            if let position = listed.source.strongestPlace?.position {
                known = try await store.knownCamera(near: position)
            }
            (self.listed, isRead) = (listed, true)
        } catch {
            trouble = error.description
        }
    }

    /// Notes what a person has to say of it; it is refused where it was changed since the person looked.
    public func note(_ text: String) async {
        guard let source = listed?.source, source.note != text else { return }
        do throws(HubError) {
            trouble = nil
            _ = try await app.hub.mark(source: source.id, note: text, ifRevision: source.revision)
        } catch {
            trouble = error.description
        }
        await read()
    }
}
