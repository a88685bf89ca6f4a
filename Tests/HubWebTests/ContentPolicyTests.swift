// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HubWeb

@Suite("What pages may load")
struct ContentPolicyTests {
    @Test(arguments: [
        ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example"),
        ("http://192.168.1.9:8080/{z}/{x}/{y}", "http://192.168.1.9:8080"),
        ("https://{s}.Tile.example/{z}/{x}/{y}.png?key=1", "https://*.tile.example"),
        ("https://localhost/{z}/{x}/{y}.png", "https://localhost"),
    ])
    func theHostOfAMapServerIsAllowed(address: String, source: String) {
        #expect(ContentPolicy.source(of: address) == source)
        #expect(ContentPolicy.text(mapServer: address).hasSuffix("; img-src 'self' \(source)"))
    }

    @Test(arguments: [
        "", "tiles.example/{z}", "ftp://tiles.example/{z}", "https://tiles.example", "https:///{z}",
        "https://*/{z}",
        "https://*.example/{z}", "https://{s}/{z}", "https://{s}.example/{z}", "https://a.{s}.example/{z}",
        "https://a b.example/{z}", "https://a.example;script-src *;/{z}", "https://u@a.example/{z}",
        "https://a.example:0/{z}", "https://a.example:65536/{z}", "https://a.example:*/{z}",
        "https://a.example:/{z}",
        "https://a..example/{z}", "https://.example/{z}", "https://a.example'self'/{z}",
        "https://ä.example/{z}",
        "https://a.example\r\nX: y/{z}", "https://a.example,b.example/{z}", "data:image/png,{z}/{x}/{y}",
    ])
    func whatCannotBeToldForSureIsNot(address: String) {
        #expect(ContentPolicy.source(of: address) == nil)
        #expect(ContentPolicy.text(mapServer: address) == ContentPolicy.text(mapServer: nil))
        #expect(!ContentPolicy.text(mapServer: address).contains("img-src"))
    }

    @Test func leafletIsFoundWhereTheSystemHasIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lantern-leaflet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let leaflet = LeafletFiles(folder: folder)
        #expect(await leaflet.file("/leaflet/leaflet.css") == nil)
        // It is looked for anew: who installs it need not start the hub again.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["leaflet.css", "leaflet.esm.min.js", "leaflet.js"] {
            try Data(".leaflet {}".utf8).write(to: folder.appendingPathComponent(name))
        }
        #expect(await leaflet.file("/leaflet/leaflet.css") != nil)
        #expect(await leaflet.file("/leaflet/leaflet.esm.min.js") != nil)
        for path in [
            "/leaflet/leaflet.js", "/leaflet/", "/leaflet/../leaflet/leaflet.css", "/leaflet.css",
            "/leaflet/%6ceaflet.css",
        ] {
            #expect(await leaflet.file(Substring(path)) == nil, "\(path)")
        }
    }
}
