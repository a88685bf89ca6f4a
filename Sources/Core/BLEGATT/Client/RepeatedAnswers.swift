// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Tells a response that a server sends once more from the one to the request that is outstanding.
///
/// Some servers send every response twice. The second one is then there before the next request is answered, and may be
/// of the kind that is waited for. It is held: when another response comes, nobody had asked for it; when none comes, it
/// is the answer, as of servers that do not mind what range they are asked for.
struct RepeatedAnswers {
    /// How long another response is waited for, in seconds.
    static let patienceSeconds: UInt64 = 3
    /// How many responses in a row have come twice before the next one is expected to, where nothing else tells.
    private static let usual = 2

    /// The response that was taken last.
    private var last: [UInt8] = []
    /// Whether it has come once more.
    private var hasComeAgain = false
    /// How many responses before it have come twice, without one between that has not.
    private var inRow = 0
    /// Whether nothing is held any more: what was held has been the answer.
    private var areAnswers = false
    /// The handles that the outstanding request asks for, and those of the request before, of requests for lists.
    private var asked: ATT.HandleRange?
    private var before: ATT.HandleRange?
    /// A response that is held, and until when.
    private(set) var held: (octets: [UInt8], until: HostInstant)?

    /// Takes in that a request is sent.
    mutating func ask(_ request: [UInt8]) {
        before = asked
        asked = nil
        switch ATT.Opcode(rawValue: request[0]) {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            asked = ATT.HandleRange(start: Self.handle(request, at: 1), end: Self.handle(request, at: 3))
        default: break
        }
    }

    /// Takes in that a response has been taken.
    ///
    /// - Returns: The one that was held, for which nobody had asked.
    mutating func take(_ octets: RawSpan) -> [UInt8]? {
        defer { held = nil }
        inRow = hasComeAgain ? inRow &+ 1 : 0
        hasComeAgain = false
        var reader = ByteReader(octets)
        last = reader.readRemaining()
        return held?.octets
    }

    /// Takes in that a response was ignored.
    mutating func ignore(_ octets: RawSpan) {
        if isLast(octets) { hasComeAgain = true }
    }

    /// Holds a response if it is the one that was taken last, once more.
    ///
    /// - Parameters:
    ///   - octets: The response.
    ///   - request: What is outstanding.
    ///   - now: The moment.
    /// - Returns: Whether it is held.
    mutating func hold(_ octets: RawSpan, of request: ATT.Opcode, at now: HostInstant) -> Bool {
        guard !areAnswers, isLast(octets), isAnswer(to: request),
            isElsewhere || !hasComeAgain && inRow >= Self.usual
        else { return false }
        hasComeAgain = true
        // However often it comes, the first one counts.
        held = (last, held?.until ?? now.advanced(bySeconds: Self.patienceSeconds))
        return true
    }

    /// Gives what is held as the answer, once it has been held for long enough.
    mutating func answer(at now: HostInstant) -> [UInt8]? {
        guard let held, held.until <= now else { return nil }
        self.held = nil
        areAnswers = true
        return held.octets
    }

    /// Takes in that the bearer is gone.
    mutating func close() { held = nil }

    private func isLast(_ octets: RawSpan) -> Bool {
        guard octets.byteCount == last.count else { return false }
        var reader = ByteReader(octets)
        return reader.readRemaining() == last
    }

    private func isAnswer(to request: ATT.Opcode) -> Bool {
        guard let opcode = last.first else { return false }
        return opcode == request.rawValue &+ 1
            || ATT.Opcode(rawValue: opcode) == .errorResponse && last.count > 1 && last[1] == request.rawValue
    }

    /// Whether the last response speaks of other handles than those that are asked for now.
    private var isElsewhere: Bool {
        guard let asked, last.count >= 4 else { return false }
        switch ATT.Opcode(rawValue: last[0]) {
        case .errorResponse:
            // Of servers that always name the same handle it says nothing.
            let handle = Self.handle(last, at: 2)
            return handle == before?.start && handle != asked.start
        case .findByTypeValueResponse: return !asked.contains(Self.handle(last, at: 1))
        default: return !asked.contains(Self.handle(last, at: 2))
        }
    }

    private static func handle(_ octets: [UInt8], at index: Int) -> AttributeHandle {
        AttributeHandle(rawValue: UInt16(octets[index]) | UInt16(octets[index + 1]) << 8)
    }
}
