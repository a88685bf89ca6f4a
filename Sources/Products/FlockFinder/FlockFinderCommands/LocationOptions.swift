// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import CommandIO
import Companion
import CompanionDevices
import CompanionStore
package import Detections
import GPSDClient
import Locating

/// Where we are, as commands take it.
package struct LocationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where you are, kept with each detection: LAT,LON, gpsd, gpsd:HOST:PORT or gpx:FILE.",
            valueName: "place"),
        transform: LocationOptions.source)
    package var location: LocationSource?

    @Option(help: ArgumentHelp("Play the track of gpx:FILE this many times as fast.", valueName: "factor"))
    package var speed: Double?

    package init() {}

    package func validate() throws {
        guard let speed else { return }
        guard Self.speeds.contains(speed) else {
            throw ValidationError("--speed takes a number from 0.01 to 10000.")
        }
        guard case .track? = location else {
            throw ValidationError("--speed needs a track to play: add --location gpx:FILE.")
        }
    }

    /// Knows where we are; `nil` when nobody has said how.
    func locator() throws(CommandError) -> Locator? {
        switch location {
        case nil: return nil
        case .fixed(let position): return Locator(.fixed(position), now: Timestamp.now)
        case .gpsd(let host, let port):
            return Locator(.gpsd(GPSDSocket(host: host, port: port)), now: Timestamp.now)
        case .track(let path):
            return Locator(.track(try Self.track(path), speed: speed ?? 1), now: Timestamp.now)
        }
    }

    /// Reads a track.
    ///
    /// - Parameter path: Its file.
    /// - Returns: The track.
    /// - Throws: ``CommandError`` when it cannot be played.
    package static func track(_ path: String) throws(CommandError) -> GPXTrack {
        let limit = InputFile.Limit.track
        let octets = try InputFile.contents(of: path, atMost: limit)
        do throws(BadInput) {
            return try GPXTrack(try FileUnpacking.whole(octets, atMost: limit))
        } catch {
            throw .failed("\(path.shortenedPath) cannot be played: \(error.description).")
        }
    }

    /// How many times as fast a track may be played.
    package static let speeds = 0.01...10_000

    @Sendable private static func source(_ text: String) throws -> LocationSource {
        do { return try LocationSource(text) } catch { throw ValidationError(error.description) }
    }
}
