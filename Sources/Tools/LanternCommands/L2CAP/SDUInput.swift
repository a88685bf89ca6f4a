// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Companion

/// SDUs out of an input.
actor SDUInput {
    /// Octets of one read.
    private static let piece = 65536

    private let input: StandardInput
    private let form: SDUForm
    private var splitter: SDUSplitter
    private var isAtEnd = false

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - input: The octets.
    ///   - form: How SDUs are written.
    init(_ input: StandardInput, _ form: SDUForm) {
        self.input = input
        self.form = form
        splitter = SDUSplitter(form)
    }

    /// Waits for an SDU.
    ///
    /// - Parameter limit: How many octets the peer takes.
    /// - Returns: The SDU; `nil` at the end, or when the task is cancelled.
    /// - Throws: ``CommandError`` that names the line that is no SDU, or says that one is too long.
    func next(limit: Int) async throws(CommandError) -> [UInt8]? {
        while true {
            if let sdu = try split() {
                guard sdu.count <= limit else {
                    throw .failed(
                        "An SDU of \(sdu.count) octets is too long: the peer takes at most \(limit).")
                }
                return sdu
            }
            guard !isAtEnd else { return nil }
            let octets = await input.read(upTo: form == .chunks ? min(limit, Self.piece) : Self.piece)
            guard !Task.isCancelled else {
                splitter.append(octets)
                return nil
            }
            isAtEnd = octets.isEmpty
            splitter.append(octets)
        }
    }

    private func split() throws(CommandError) -> [UInt8]? {
        do throws(BadInput) {
            return try splitter.next(isEnd: isAtEnd)
        } catch {
            throw .wrongUsage(error.description)
        }
    }
}
