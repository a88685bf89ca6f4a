// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import WireJSON

/// Puts JSON objects together again that arrive in notifications.
///
/// A notification may hold one object, several, or a piece of one; blanks and newlines between objects are
/// passed over. What is not an object comes out, too, with the reason, so that nothing is lost in silence.
///
/// After a fault it starts afresh at the first notification or line, after the start of the bad piece, that
/// begins with `{`: firmware that cuts an object short spoils only that one.
public struct JSONObjectStream: Sendable {
    /// What the stream puts out.
    public enum Piece: Hashable, Sendable {
        /// One complete object that is valid JSON, from `{` to `}`.
        case object([UInt8])
        /// Octets that are no object.
        case fault(DetectionError, raw: [UInt8])
    }

    /// The largest object, in octets.
    public static let maximumLength = 8192

    /// How long the rest of an object may take, in seconds.
    public static let completionSeconds: UInt64 = 5

    /// What was fed and has not come out, from `start` on.
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where in the buffer notifications begin.
    private var boundaries: [Int] = []
    private var lastFed = HostInstant.zero
    /// Why no more will come for the object that is held, if that is so.
    private var ending: DetectionError.Reason?

    /// Makes an empty stream.
    public init() {}

    /// When ``deadlineReached(at:)`` is to be called at the latest; set while a part is held.
    public var nextDeadline: HostInstant? {
        buffer.isEmpty ? nil : lastFed.advanced(bySeconds: Self.completionSeconds)
    }

    /// Adds the value of a notification; then call ``next()`` until it returns `nil`.
    ///
    /// - Parameters:
    ///   - octets: The notification's value.
    ///   - now: When it came.
    public mutating func receive(_ octets: [UInt8], at now: HostInstant) {
        lastFed = now
        ending = nil
        if buffer.isEmpty {
            buffer = octets
            // Told apart from blanks, which are the rest of a stream: an empty value is a mistake.
            if octets.isEmpty { ending = .empty }
        } else {
            boundaries.append(buffer.count)
            buffer += octets
        }
    }

    /// Does what is due at the deadline; then call ``next()`` until it returns `nil`.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        if let nextDeadline, nextDeadline <= now { ending = .restMissing }
    }

    /// Ends the stream with its link; then call ``next()`` until it returns `nil`.
    public mutating func linkClosed() {
        if !buffer.isEmpty { ending = .linkClosed }
    }

    /// The next object or fault.
    ///
    /// - Returns: What came out; `nil` when more octets are needed.
    public mutating func next() -> Piece? {
        if buffer.isEmpty {
            guard ending == .empty else { return nil }
            ending = nil
            return .fault(DetectionError(.empty, at: 0), raw: [])
        }
        var scanner = JSONScanner(position: start)
        scanner.skipBlanks(buffer.octetSpan)
        start = scanner.position
        do throws(DetectionError) {
            let isObject = try scanner.passObject(buffer.octetSpan)
            if isObject { return .object(removeFirst(upTo: scanner.position)) }
            clear()
            return nil
        } catch {
            return fault(error)
        }
    }

    /// Gives out what a fault has spoilt, or keeps it when only its rest is missing.
    private mutating func fault(_ error: DetectionError) -> Piece? {
        var reason = error.reason
        if reason == .endsEarly {
            if let ending {
                reason = ending
            } else if buffer.count - start > Self.maximumLength {
                reason = .tooLong
            } else {
                dropRemoved()
                return nil
            }
        }
        let error = DetectionError(reason, at: error.offset - start)
        return .fault(error, raw: removeFirst(upTo: freshStart()))
    }

    /// The first notification or line after the start that begins with `{`, else the end.
    private func freshStart() -> Int {
        var boundaries = boundaries[...]
        var isCandidate = false
        for index in (start + 1)..<max(buffer.count, start + 1) {
            while let boundary = boundaries.first, boundary <= index {
                if boundary == index { isCandidate = true }
                boundaries.removeFirst()
            }
            let octet = buffer[index]
            if octet == 0x0A {
                isCandidate = true
            } else if !JSONScanner.isBlank(octet) {
                if isCandidate, octet == UInt8(ascii: "{") { return index }
                isCandidate = false
            }
        }
        return buffer.count
    }

    private mutating func removeFirst(upTo end: Int) -> [UInt8] {
        defer {
            start = end
            if end == buffer.count { clear() }
        }
        // The usual notification is one object: hand it on without a copy.
        return start == 0 && end == buffer.count ? buffer : Array(buffer[start..<end])
    }

    private mutating func dropRemoved() {
        guard start > 0 else { return }
        buffer.removeFirst(start)
        boundaries = boundaries.compactMap { $0 > start ? $0 - start : nil }
        start = 0
    }

    private mutating func clear() {
        buffer = []
        start = 0
        boundaries = []
        ending = nil
    }
}

extension JSONScanner {
    /// Passes one object, if anything is left.
    ///
    /// - Parameter octets: The text.
    /// - Returns: Whether there is an object; `false` at the end.
    /// - Throws: ``DetectionError`` when it is not one.
    fileprivate mutating func passObject(_ octets: Span<UInt8>) throws(DetectionError) -> Bool {
        let start = position
        guard start < octets.count else { return false }
        guard octets[start] == UInt8(ascii: "{") else { throw faultBeforeObject(octets) }
        do throws(JSONError) { try container(octets) } catch { throw DetectionError(error) }
        guard position &- start <= JSONObjectStream.maximumLength else {
            throw DetectionError(.tooLong, at: start)
        }
        return true
    }
}
