// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import HTTPTypes
import HubModel
import Hummingbird
import LEDBulbCompanion
import NightlightCompanion

/// The interface of one hub: what its routes stand on.
struct HubAPI: Sendable {
    let hub: Hub
    let access: AccessControl
    let streams: EventStreams
    let usage: ClientUsage
    /// The version of Lantern.
    let version: String

    var store: DetectionDatabase { hub.store }

    /// All routes.
    var routes: RouteTable {
        let routes =
            hubRoutes + settingsRoutes + deviceRoutes + detectionRoutes + sourceRoutes + driveRoutes
            + bulkRoutes + mapRoutes + knownRoutes + fileRoutes + importRoutes + databaseRoutes
            + jobRoutes + wifiRoutes + sessionRoutes + tokenRoutes
            + (lampRoutes + lampKeepingRoutes + bulbRoutes).changed(by: .home)
            + overflowRoutes
            + heardRoutes + explorerRoutes + saveRoutes + pairingRoutes
        let document = OpenAPI(
            routes: routes + [Self.documentRoute("")], components: Shape.all, version: version)
        return RouteTable(routes: routes + [Self.documentRoute(document.json.text)])
    }

    /// Shapes that several routes have.
    enum Shape {
        static let hub = Schema.component("Hub", Schema(of: HubState.self))
        static let settings = Schema.component("Settings", Schema(of: HubSettings.self))
        static let device = Schema.component("Device", Schema(of: HubDevice.self))
        static let capture = Schema.component("Capture", Schema(of: HubCapture.self))
        static let detection = Schema.component("Detection", detectionSchema)
        static let source = Schema.component("Source", Schema(of: SourceJSON.self))
        static let sourceDetail = Schema.component("SourceDetail", sourceDetailSchema)
        static let changed = Schema.component("Changed", changedSchema)
        static let job = Schema.component("Job", Schema(of: DeviceJob.self))
        static let wifiSetup = Schema.component("WiFiSetup", Schema(of: WiFiSetup.self))
        static let nightlight = Schema.component("Nightlight", Schema(of: LampDashboard.self))
        static let lampMemory = Schema.component("RememberedLamp", Schema(of: RememberedLamp.self))
        static let schedule = Schema.component("KeptSchedule", Schema(of: KeptSchedule.self))
        static let bulb = Schema.component("Bulb", Schema(of: HubBulb.self))
        static let heardDevice = Schema.component("HeardDevice", Schema(of: HeardDevice.self))
        static let explorer = Schema.component("Explorer", Schema(of: HubExplorer.self))
        static let explorerValue = Schema.component("ExplorerValue", Schema(of: ExplorerValue.self))
        static let savedDevice = Schema.component("SavedDevice", Schema(of: SavedDeviceEntry.self))
        static let pairing = Schema.component("Pairing", Schema(of: HubPairing.self))
        static let bond = Schema.component("Bond", Schema(of: HubBond.self))
        static let problem = Schema.component("Problem", Problem.schema)

        static let all = [
            hub, settings, device, capture, detection, source, sourceDetail, changed, job,
            wifiSetup, problem,
            nightlight, lampMemory, schedule,
            bulb,
            heardDevice, explorer, explorerValue, savedDevice, pairing, bond,
        ]
    }

    /// The event `detection` as an answer: with its name and time, as in the stream.
    static let detectionSchema: Schema = {
        guard case .object(let properties) = Schema(of: DetectionEvent.self) else { return .anyObject }
        let begin = [
            Schema.Property(name: "event", about: "Always detection.", schema: .word(["detection"])),
            Schema.Property(name: "time", about: "When it was received.", schema: .time),
        ]
        return .object(begin + properties)
    }()

    static let changedSchema = Schema.object([
        Schema.Property(
            name: "changed", about: "How many detections, or for marks sources, were changed.",
            schema: .integer()),
        Schema.Property(
            name: "undo", about: "What takes it back, if anything does.", schema: .nullable(.text())),
        Schema.Property(
            name: "before",
            about: "For marks: the numbers of those sources, by the mark that each had before.",
            schema: .object(
                SourceMark.allCases.map { mark in
                    Schema.Property(
                        name: mark.rawValue, about: "Sources that had it.", schema: .list(.integer()))
                }), isRequired: false),
    ])

    static func documentRoute(_ text: String) -> Route {
        let octets = ByteBuffer(string: text)
        return Route(
            method: .get, path: "/openapi.json", name: "getDocument", summary: "This document.",
            answer: .json("The document.", .anyObject)
        ) { _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: octets))
        }
    }

    /// A part of a list as an answer.
    struct ListPart<Item: Sendable>: Sendable {
        /// Items that are in memory at once.
        static var batch: Int { 50 }

        /// How many come at most.
        let limit: Int
        /// How many fit the filter, and how many there are.
        let (total, all): (Int, Int)
        /// Where the list goes on behind an item.
        let cursor: @Sendable (Item) -> String
        /// Reads so many items behind one, or from the beginning.
        let read: @Sendable (_ count: Int, _ after: Item?) async throws -> [Item]
        let write: @Sendable (Item, inout JSONWriter) -> Void

        /// The answer; nobody's slowness keeps more than a few items of it in memory.
        func answer() async throws -> Response {
            // What is wrong with the request shows here, while it can still be said.
            let first = try await read(min(limit, Self.batch), nil)
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    var items = first
                    var (count, last) = (0, Item?.none)
                    try await writer.write(ByteBuffer(string: #"{"items":["#))
                    while let newest = items.last {
                        var buffer = ByteBuffer()
                        for item in items {
                            var json = JSONWriter()
                            write(item, &json)
                            if count > 0 { buffer.writeString(",") }
                            buffer.writeBytes(json.octets)
                            count += 1
                        }
                        try await writer.write(buffer)
                        last = newest
                        guard count < limit else { break }
                        items = try await read(min(limit - count, Self.batch), newest)
                    }
                    var json = JSONWriter()
                    json.object { json in
                        json.field("next", count == limit ? last.map(cursor) : nil)
                        json.field("total", total)
                        json.field("all", all)
                    }
                    var end = ByteBuffer(string: "],")
                    end.writeBytes(json.octets.dropFirst())
                    try await writer.write(end)
                    try await writer.finish(nil)
                })
        }
    }

    /// The shape of a part of a list.
    static func pageSchema(_ item: Schema) -> Schema {
        .object([
            Schema.Property(
                name: "items", about: "What there is, the newest first.", schema: .list(item)
            ),
            Schema.Property(
                name: "next", about: "The cursor of what comes after; null at the end.",
                schema: .nullable(.text())),
            Schema.Property(name: "total", about: "How many fit the filter.", schema: .integer()),
            Schema.Property(name: "all", about: "How many there are.", schema: .integer()),
        ])
    }
}

/// Reads something, and makes a problem of what is wrong with it.
func asking<Value>(_ body: () throws(HubError) -> Value) throws(Problem) -> Value {
    do throws(HubError) {
        return try body()
    } catch {
        throw Problem(error)
    }
}

/// Runs something of the hub, and makes a problem of what it refuses.
func asking<Value>(_ body: () async throws(HubError) -> Value) async throws(Problem) -> Value {
    do throws(HubError) {
        return try await body()
    } catch {
        throw Problem(error)
    }
}

extension Problem {
    /// What a hub refuses.
    init(_ fault: HubError) {
        // Of a database there is more to say: when to try again.
        if case .store(let error) = fault { self.init(error) } else { self.init(RequestError(fault)) }
    }
}
