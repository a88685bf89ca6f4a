// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation
import GRDB

/// The first look after the start of the machine, each with a store that was opened only for it.
func cold(_ path: String) async throws {
    let town = place(ofSource: 31)
    for zoom in [0, 4, 6, 9, 12, 15] {
        var times: [Duration] = []
        for _ in 0..<3 {
            let store = try DetectionDatabase(path: path, createIfMissing: false)
            chill()
            let start = clock.now
            _ = try await store.map(screen(town.latitude, town.longitude, zoom: zoom), zoom: zoom)
            times.append(clock.now - start)
            try await store.close()
        }
        emit("clusters, cold, zoom \(zoom)", times)
    }
}

func clusters(_ store: DetectionDatabase, rows: Int) async throws {
    for heat in [false, true] {
        var worst: (name: String, times: [Duration])?
        var (features, all): (Int, [Duration]) = (0, [])
        for zoom in 0...18 {
            var times: [Duration] = []
            for place in places {
                let box = screen(place.latitude, place.longitude, zoom: zoom)
                for _ in 0..<4 {
                    let start = clock.now
                    let view = try await store.map(box, zoom: zoom, withHeat: heat)
                    times.append(clock.now - start)
                    features = max(features, view.pins.count + view.clusters.count + view.heat.count)
                }
            }
            times.sort()
            all += times
            if times[times.count * 99 / 100] > worst?.times[times.count * 99 / 100] ?? .zero {
                worst = ("zoom \(zoom)", times)
            }
        }
        let name = heat ? "clusters and heat" : "clusters"
        emit("\(name), all zooms and boxes", all, ["features": features])
        if let worst { emit("\(name), the worst zoom: \(worst.name)", worst.times) }
    }
    var times: [Duration] = []
    for zoom in stride(from: 0, through: 18, by: 3) {
        for place in places.prefix(6) {
            let start = clock.now
            let filter = DetectionFilter(since: Timestamp(milliseconds: firstMoment + Int64(rows) * 90))
            _ = try await store.map(
                screen(place.latitude, place.longitude, zoom: zoom), zoom: zoom, matching: filter)
            times.append(clock.now - start)
        }
    }
    emit("clusters with a filter of time", times)
}

/// The same boxes from an R*Tree alone: what lies in the box is read and put into squares.
func plain(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var times: [Duration] = []
    for zoom in 0...18 {
        for place in places {
            let box = screen(place.latitude, place.longitude, zoom: zoom)
            let breadth = box.west <= box.east ? "east >= ? AND west <= ?" : "(east >= ? OR west <= ?)"
            let start = clock.now
            try queue.read { database in
                var squares: [Int: Int] = [:]
                let rows = try Row.fetchCursor(
                    database.cachedStatement(
                        sql:
                            "SELECT south, west FROM detection_place WHERE north >= ? AND south <= ? AND \(breadth)"
                    ),
                    arguments: [box.south, box.north, box.west, box.east])
                let side = Double(1 << (zoom + 2))
                while let row = try rows.next() {
                    let (south, west) = (row[0] as Double, row[1] as Double)
                    squares[
                        Int((west + 180) / 360 * side) << 32 | Int((south + 90) / 180 * side), default: 0] +=
                        1
                }
            }
            times.append(clock.now - start)
        }
    }
    emit("plain R*Tree of the detections, all zooms and boxes", times)
}

/// The ways of drives, at every zoom around some of them.
func routes(_ store: DetectionDatabase) async throws {
    var (points, lines, most): (Int, Int, [Duration]) = (0, 0, [])
    for zoom in [1, 4, 6, 8, 10, 12, 14, 16] {
        var times: [Duration] = []
        for number in 0..<6 {
            let start = place(ofSource: number * 7)
            let box = screen(start.latitude, start.longitude, zoom: zoom)
            let begin = clock.now
            let routes = try await store.routes(in: box, zoom: Double(zoom))
            times.append(clock.now - begin)
            points = max(points, routes.reduce(0) { $0 + $1.points.count })
            lines = max(lines, routes.count)
        }
        emit("routes, zoom \(zoom)", times)
        most += times
    }
    emit("routes, all zooms", most, ["points": points, "lines": lines])
}

/// Where every source stands, and the boxes that are asked for, as text.
func points(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var text = ""
    try queue.read { database in
        let rows = try Row.fetchCursor(
            database, sql: "SELECT shown_longitude, shown_latitude FROM source WHERE square IS NOT NULL")
        while let row = try rows.next() {
            text += "\((row[0] as Double) / 1e7) \((row[1] as Double) / 1e7)\n"
        }
    }
    text += "\n"
    for zoom in 0...18 {
        for place in places {
            let box = screen(place.latitude, place.longitude, zoom: zoom)
            text += "\(box.west) \(box.south) \(box.east) \(box.north) \(zoom)\n"
        }
    }
    FileHandle.standardOutput.write(Data(text.utf8))
}
