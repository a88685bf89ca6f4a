// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import Foundation

// The world that is measured: the same in each run.

/// Numbers that look like chance and are the same in each run.
struct Chance {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / Double(1 << 53)
    }
}

/// Where a source stands: most in forty towns, others all over a country, at the date line and at the poles.
func place(ofSource number: Int) -> (latitude: Double, longitude: Double) {
    var chance = Chance(number + 1)
    _ = chance.next()
    let (kind, one, other) = (chance.next(), chance.next(), chance.next())
    switch kind {
    case ..<0.7:
        var town = Chance(1000 + number % 40)
        _ = town.next()
        let middle = (latitude: 47.5 + 7 * town.next(), longitude: 6 + 9 * town.next())
        // Closer together towards the middle.
        let reach = 0.08 * one * one
        return (
            middle.latitude + reach * cos(6.2832 * other),
            middle.longitude + 1.5 * reach * sin(6.2832 * other)
        )
    case ..<0.95: return (47.5 + 7 * one, 6 + 9 * other)
    case ..<0.98: return (-18 + 4 * one, other < 0.5 ? 179.5 + other : -180 + other - 0.5)
    default:
        return (other < 0.5 ? 84 + 6 * one : -90 + 6 * one, -180 + 720 * (other < 0.5 ? other : other - 0.5))
    }
}

/// When the first row was received, in milliseconds; a row comes each 100 ms.
let firstMoment: Int64 = 1_790_000_000_000

/// How many sources have been heard: a fifth of the rows, unless `BENCH_SOURCES` says otherwise.
func sources(of rows: Int) -> Int {
    max(1, ProcessInfo.processInfo.environment["BENCH_SOURCES"].flatMap { Int($0) } ?? rows / 5)
}

/// One of the sources, received near where it stands.
func sighting(_ number: Int, of rows: Int) -> Sighting {
    let source = number * 7919 % sources(of: rows)
    var chance = Chance(number + 77)
    _ = chance.next()
    let place = place(ofSource: source)
    let types = DetectionType.allCases
    let type = types[source % types.count]
    let mac = String(
        format: "58:8E:%02X:%02X:%02X:%02X", source >> 24 & 255, source >> 16 & 255, source >> 8 & 255,
        source & 255)
    let position = Position(
        latitude: max(-90, min(90, place.latitude + 0.0004 * (chance.next() - 0.5))),
        longitude: max(-180, min(180, place.longitude + 0.0006 * (chance.next() - 0.5))))
    return Sighting(
        type: type, label: type.labelString, mac: mac, ssid: "CAM-\(source)",
        rssi: -95 + Int(50 * chance.next()),
        confidence: chance.next(), received: Timestamp(milliseconds: firstMoment + Int64(number) * 100),
        position: position, extra: "{\"ch\":\(number % 13)}", raw: Array("{\(number)}".utf8))
}

/// A drive through a town and over the country, a point each second.
func drive(_ number: Int, points: Int) -> [DrivePoint] {
    var chance = Chance(number + 4711)
    _ = chance.next()
    let start = place(ofSource: number * 7)
    var (latitude, longitude) = (start.latitude, start.longitude)
    var course = 6.2832 * chance.next()
    return (0..<points).map { index in
        if index % 20 == 0 { course += 1.6 * (chance.next() - 0.5) }
        // Some 15 metres.
        latitude = max(-89.9, min(89.9, latitude + 0.000135 * cos(course)))
        longitude += 0.000135 * sin(course) / max(0.02, cos(latitude * .pi / 180))
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return DrivePoint(
            time: firstMoment + Int64(number) * 86_400_000 + Int64(index) * 1000,
            latitude: latitude + 0.00001 * (chance.next() - 0.5),
            longitude: longitude, accuracy: 4, speed: 15)
    }
}

/// A screen of 1440 × 900 pixels around a place.
func screen(_ latitude: Double, _ longitude: Double, zoom: Int) -> MapBox {
    let width = 1440 * 360 / (256 * Double(1 << zoom))
    let height = width * 900 / 1440 * cos(latitude * .pi / 180)
    func wrapped(_ degrees: Double) -> Double {
        degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees
    }
    if width >= 360 { return MapBox(west: -180, south: -90, east: 180, north: 90) }
    return MapBox(
        west: wrapped(longitude - width / 2), south: max(-90, latitude - height / 2),
        east: wrapped(longitude + width / 2), north: min(90, latitude + height / 2))
}

let places: [(latitude: Double, longitude: Double)] =
    (0..<25).map { place(ofSource: $0 * 31) } + [(-17, 179.9), (87, 0), (-88, 100), (51, 10)]
