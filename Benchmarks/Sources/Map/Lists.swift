// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation

func lists(_ store: DetectionDatabase, rows: Int) async throws {
    try await timed("first page of History") {
        try await store.records(page: DetectionPage(limit: 100)).count
    }
    try await timed("a deep page of History") {
        try await store.records(page: DetectionPage(after: Int64(rows / 3), limit: 100)).count
    }
    try await timed("text, first page") {
        try await store.records(matching: DetectionFilter(text: "cam-1234"), page: DetectionPage(limit: 100))
            .count
    }
    for text in ["cam", "zzzz", "58:8e:00:00:1"] {
        try await timed("text \(text), first page") {
            try await store.records(matching: DetectionFilter(text: text), page: DetectionPage(limit: 100))
                .count
        }
    }
    try await timed("sources with a text, first page") {
        try await store.sources(matching: DetectionFilter(text: "cam-1234"), page: SourcePage(limit: 100))
            .count
    }
    try await timed("sources that are sure, first page") {
        try await store.sources(
            matching: DetectionFilter(minimumConfidence: 0.9), page: SourcePage(limit: 100)
        )
        .count
    }
    try await timed("sources, first page") {
        try await store.sources(matching: DetectionFilter(), page: SourcePage(limit: 100)).count
    }
    let town = place(ofSource: 31)
    if let center = Position(latitude: town.latitude, longitude: town.longitude),
        let circle = Vicinity(center: center, metres: 300)
    {
        try await timed("near, 300 m, first page") {
            try await store.records(matching: DetectionFilter(near: circle), page: DetectionPage(limit: 100))
                .count
        }
    }
    for (name, zoom) in [("a street", 17), ("a country", 6)] {
        var filter = DetectionFilter()
        filter.box = screen(town.latitude, town.longitude, zoom: zoom)
        try await timed("the box of \(name), first page") {
            try await store.records(matching: filter, page: DetectionPage(limit: 100)).count
        }
    }
}
