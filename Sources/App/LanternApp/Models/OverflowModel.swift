// SPDX-License-Identifier: Apache-2.0

import CompanionHub
public import Foundation
public import Observation
public import OverflowArea
public import OverflowAreaCompanion

/// What the screen Overflow shows: the phones whose overflow areas are heard, and what this phone sends in its own.
@MainActor @Observable public final class OverflowModel {
    /// A time in which nothing could be heard, because the app was not on the screen.
    public struct Absence: Hashable, Sendable {
        /// Since when.
        public let from: Date
        /// Until when; `nil` while it lasts.
        public fileprivate(set) var until: Date?
    }

    /// Why sending could not be started.
    public enum Trouble: Hashable, Sendable {
        /// What was typed is not four octets.
        case notFourOctets
        /// The hub says why, and what to do.
        case refused(String)
    }

    /// The senders, those that are heard now first, and of each the strongest.
    public private(set) var sources: [OverflowSource] = []
    /// What this phone sends.
    public private(set) var beacon = OverflowBeacon()
    /// The four octets to be sent, as they are typed.
    public var text = "01 02 03 04" { didSet { if text != oldValue { trouble = nil } } }
    /// How they are put into the map.
    public var codec = OverflowCodec.v1
    /// Why it could not be started.
    public private(set) var trouble: Trouble?
    /// Whether it is being started or stopped.
    public private(set) var isBusy = false
    /// When nothing could be heard last.
    public private(set) var absence: Absence?

    @ObservationIgnored private let app: AppModel
    private var wasRead = false

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// Whether anybody is heard now.
    public var isAnyoneHere: Bool { sources.contains(where: \.isHere) }

    /// Listens and follows, as long as the screen is there.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [hub = app.hub] in await hub.listenForOverflow() }
            group.addTask { await self.follow() }
        }
    }

    private func follow() async {
        await app.hub.follow(OverflowSourceChanged.self, OverflowBeaconChanged.self) {
            (sources, beacon) = await app.hub.overflowState
            // What is sent already stands in the fields.
            if !wasRead, let payload = beacon.payload {
                (text, codec) = (DeviceWords.octets(payload.octets), beacon.codec)
            }
            wasRead = true
        }
    }

    /// Notes whether the app is on the screen: elsewhere the system tells of no overflow area.
    public func place(onScreen isOnScreen: Bool) {
        if !isOnScreen {
            if absence?.until != nil || absence == nil { absence = Absence(from: Date()) }
        } else if absence?.until == nil {
            absence?.until = Date()
        }
    }

    /// Sends what was typed.
    public func start() async {
        guard
            let payload = [UInt8](hexadecimal: text.filter { !" :-".contains($0) }).flatMap(
                OverflowPayload.init)
        else {
            trouble = .notFourOctets
            return
        }
        await change { () async throws(HubError) in
            self.beacon = try await self.app.hub.startBeacon(payload, self.codec)
        }
    }

    /// Sends nothing any more.
    public func stop() async {
        await change { () async throws(HubError) in await self.app.hub.endBeacon() }
    }

    private func change(_ body: () async throws(HubError) -> Void) async {
        guard !isBusy else { return }
        (isBusy, trouble) = (true, nil)
        do throws(HubError) { try await body() } catch { trouble = .refused(error.description) }
        isBusy = false
    }
}
