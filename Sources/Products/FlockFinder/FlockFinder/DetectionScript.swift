// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

/// Detections that a device sends one after the other.
public struct DetectionScript: Hashable, Sendable {
    /// One object to send.
    public struct Line: Hashable, Sendable {
        /// How long to wait after the line before, in milliseconds; at the first after the start.
        public var afterMilliseconds: UInt64
        /// The object, as it is to be sent.
        public var octets: [UInt8]

        /// Makes a line.
        public init(afterMilliseconds: UInt64, octets: [UInt8]) {
            self.afterMilliseconds = afterMilliseconds
            self.octets = octets
        }

        /// Makes a line of a detection.
        ///
        /// - Parameters:
        ///   - afterMilliseconds: How long to wait after the line before, in milliseconds.
        ///   - detection: What to send.
        public init(afterMilliseconds: UInt64, _ detection: Detection) {
            self.init(afterMilliseconds: afterMilliseconds, octets: detection.encoded())
        }
    }

    /// A line of a script that cannot be played.
    public struct Failure: Error, Hashable, Sendable {
        /// The line's number; the first is 1.
        public let line: Int
        /// What is wrong with it; the offset counts from the start of the line.
        public let error: DetectionError
    }

    /// The objects to send, in order.
    public var lines: [Line]

    /// Makes a script.
    public init(lines: [Line]) { self.lines = lines }

    /// Reads a script: one JSON object a line, as it is to be sent, with `after_ms` beside its other keys.
    ///
    /// `after_ms` is taken out and everything else stays as it is written, be it a good detection or not;
    /// blanks between the members are dropped, empty lines are passed over.
    ///
    /// - Parameter octets: The script, as UTF-8.
    /// - Throws: ``Failure`` for the first line that is no JSON object or whose `after_ms` is no whole number.
    public init(jsonLines octets: [UInt8]) throws(Failure) {
        lines = []
        let span = octets.octetSpan
        var start = 0
        var number = 0
        while start < span.count {
            number += 1
            var end = start
            while end < span.count, span[end] != 0x0A { end += 1 }
            let text = span.extracting(start..<end)
            start = end + 1
            do throws(DetectionError) {
                if let line = try Line(decoding: text) { lines.append(line) }
            } catch {
                throw Failure(line: number, error: error)
            }
        }
    }
}

extension DetectionScript.Line {
    /// Reads a line; `nil` when it is empty.
    fileprivate init?(decoding octets: Span<UInt8>) throws(DetectionError) {
        var scanner = JSONScanner(position: 0)
        scanner.skipBlanks(octets)
        guard scanner.position < octets.count else { return nil }
        guard octets[scanner.position] == UInt8(ascii: "{") else { throw scanner.faultBeforeObject(octets) }
        self.init(afterMilliseconds: 0, octets: [UInt8(ascii: "{")])
        let wait: JSONScanner.Token?
        do throws(JSONError) { wait = try read(&scanner, octets) } catch { throw DetectionError(error) }
        if let wait {
            guard wait.kind == .number, let value = JSONNumber(wait, in: octets).integer, value >= 0
            else { throw DetectionError(.badWait, at: wait.start) }
            afterMilliseconds = UInt64(value)
        }
        scanner.skipBlanks(octets)
        guard scanner.position == octets.count else { throw DetectionError(.trailing, at: scanner.position) }
        guard self.octets.count <= JSONObjectStream.maximumLength else {
            throw DetectionError(.tooLong, at: 0)
        }
    }

    /// Copies the members but `after_ms`, which it returns; the position is at the opening bracket.
    private mutating func read(
        _ scanner: inout JSONScanner, _ octets: Span<UInt8>
    ) throws(JSONError) -> JSONScanner.Token? {
        var wait: JSONScanner.Token?
        scanner.position += 1
        if try scanner.peek(octets) != UInt8(ascii: "}") {
            while true {
                let key = try scanner.key(octets)
                let value = try scanner.value(octets)
                if JSONScanner.text(of: key, in: octets) == Array("after_ms".utf8) {
                    wait = value
                } else {
                    if self.octets.count > 1 { self.octets.append(UInt8(ascii: ",")) }
                    self.octets += Array(copying: octets.extracting(key.start..<key.end))
                    self.octets.append(UInt8(ascii: ":"))
                    self.octets += Array(copying: octets.extracting(value.start..<value.end))
                }
                guard try scanner.peek(octets) == UInt8(ascii: ",") else { break }
                scanner.position += 1
            }
        }
        try scanner.expect(UInt8(ascii: "}"), octets)
        self.octets.append(UInt8(ascii: "}"))
        return wait
    }
}
