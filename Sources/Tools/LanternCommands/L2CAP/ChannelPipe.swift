// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import CompanionText

/// Carries SDUs between channels and the input and output of this process.
struct ChannelPipe: Sendable {
    /// What a pipe sends.
    enum Source: Sendable {
        /// What comes in.
        case input(SDUInput, closesAtEnd: Bool)
        /// What the channel brings.
        case echo
    }

    let printer: ChannelPrinter
    let source: Source
    /// How many SDUs may still come, over all channels; `nil` for as many as there are.
    let quota: Quota

    /// Carries until the channel is closed, the quota is used up or the task is cancelled; closes the channel.
    func run(_ channel: Channel) async throws {
        try printer.show(ChannelOpened(channel.description))
        let received = try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try await receive(from: channel) }
            if case .input(let input, let closesAtEnd) = source {
                group.addTask {
                    try await send(input, to: channel, closesAtEnd: closesAtEnd)
                    return nil
                }
            }
            while let ended = try await group.next() {
                guard let received = ended else { continue }
                group.cancelAll()
                return received
            }
            return 0
        }
        await Uncancelled.run { await channel.close() }
        let failure = channel.closeReason ?? .closedByUs
        try printer.show(ChannelClosed(channel.description, failure, received: received))
        switch failure {
        case .closedByUs, .closedByPeer: break
        default: if !Task.isCancelled { throw BluetoothError.channel(failure) }
        }
    }

    /// How many SDUs have come.
    private func receive(from channel: Channel) async throws -> Int {
        var received = 0
        do {
            for try await sdu in channel.received() {
                guard quota.take() else { break }
                received += 1
                try printer.show(sdu, of: channel.description)
                if case .echo = source, !(await Self.send(sdu, to: channel)) { break }
                if quota.isUsedUp { break }
            }
        } catch is BluetoothError {
            // The channel knows why it is closed.
        }
        return received
    }

    private func send(_ input: SDUInput, to channel: Channel, closesAtEnd: Bool) async throws {
        while let sdu = try await input.next(limit: channel.description.mtu) {
            guard sdu.count <= channel.description.mtu else {
                throw CommandError.failed(
                    "An SDU of \(sdu.count) octets is too long: the peer takes at most \(channel.description.mtu)."
                )
            }
            guard await Self.send(sdu, to: channel) else { return }
        }
        if closesAtEnd, !Task.isCancelled { await channel.close() }
    }

    /// Sends an echo, cut to what the peer takes, or what comes in.
    ///
    /// - Returns: Whether it was accepted; not when the channel is closed, which is told elsewhere.
    private static func send(_ sdu: [UInt8], to channel: Channel) async -> Bool {
        do throws(BluetoothError) {
            try await channel.send(Array(sdu.prefix(channel.description.mtu)))
            return true
        } catch {
            return false
        }
    }
}

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
    /// - Parameter limit: How many octets of it are asked for at once, where SDUs have no ends of their own.
    /// - Returns: The SDU; `nil` at the end, or when the task is cancelled.
    /// - Throws: ``CommandError`` that names the line that is no SDU.
    func next(limit: Int) async throws(CommandError) -> [UInt8]? {
        while true {
            if let sdu = try splitter.next(isEnd: isAtEnd) { return sdu }
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
}
