// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import Locating

/// Where we are, as commands take it.
struct LocationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where we are, kept with each detection: LAT,LON, gpsd, gpsd:HOST:PORT or gpx:FILE.",
            valueName: "place"),
        transform: LocationOptions.source)
    var location: LocationSource?

    @Option(help: ArgumentHelp("Play the track of gpx:FILE so many times as fast.", valueName: "factor"))
    var speed: Double?

    func validate() throws {
        guard let speed else { return }
        guard (0.01...10_000).contains(speed) else {
            throw ValidationError("--speed wants a number from 0.01 to 10000.")
        }
        guard case .track? = location else {
            throw ValidationError("--speed wants a track to play: --location gpx:FILE.")
        }
    }

    /// Knows where we are; `nil` when nobody has said how.
    func locator() throws(CommandError) -> Locator? {
        switch location {
        case nil: return nil
        case .fixed(let position): return Locator(.fixed(position))
        case .gpsd(let host, let port): return Locator(.gpsd(host: host, port: port))
        case .track(let path):
            let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.track)
            do throws(BadInput) {
                return Locator(.track(try GPXTrack(octets), speed: speed ?? 1))
            } catch {
                throw .failed("\(path.shortenedPath) cannot be played: \(error.description).")
            }
        }
    }

    @Sendable private static func source(_ text: String) throws -> LocationSource {
        do { return try LocationSource(text) } catch { throw ValidationError(error.description) }
    }
}
