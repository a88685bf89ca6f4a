// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Detections

@Suite("The Mercator map")
struct MercatorTests {
    @Test func itIsWhereTheSystemsFunctionsHaveIt() {
        for tenth in -850...850 {
            let latitude = Double(tenth) / 10
            let radians = latitude * .pi / 180
            let point = Mercator.point(latitude: latitude, longitude: 12.5)
            #expect(abs(point.y - (1 - log(tan(radians) + 1 / cos(radians)) / .pi) / 2) < 1e-12)
            #expect(point.x == 192.5 / 360)
            #expect(abs(Mercator.latitude(y: point.y) - latitude) < 1e-11)
        }
        #expect(abs(Mercator.latitude(y: 0) - MapCell.lastLatitude) < 1e-10)
        #expect(abs(Mercator.latitude(y: 1) + MapCell.lastLatitude) < 1e-10)
        #expect(Mercator.latitude(y: 0.5) == 0)
        #expect(Mercator.pixels(zoom: 3) == 2048 && Mercator.pixels(zoom: 99) == 256 * 16_777_216)
    }

    @Test func whatIsFartherThanTheMapLiesInItsLastRow() {
        for (latitude, y) in [(90.0, 0), (86, 0), (-86, 65535), (-90, 65535)] {
            #expect(MapCell(latitude: latitude, longitude: -180) == MapCell(level: 16, y: y, x: 0))
        }
        #expect(MapCell(latitude: 0, longitude: 180) == MapCell(level: 16, y: 32768, x: 65535))
    }
}
