// SPDX-License-Identifier: Apache-2.0

import Companion

/// A conversation with gpsd, without a socket: octets in, fixes and octets to send out.
///
/// It asks for reports as JSON. Receivers may come and go; of several, that one counts which gave the last fix, until it has
/// given none for five seconds. A receiver of which gpsd has nothing to tell in the first quarter of a minute counts as none. When
/// nothing comes for half a minute it asks whether gpsd is still there.
public struct GPSDSession: Sendable {
    /// What it wants done, and what it has heard.
    public enum Output: Hashable, Sendable {
        /// Send these octets.
        case send([UInt8])
        /// A receiver says where it is; nobody has judged that yet.
        case fix(Fix)
        /// The same without a time, which is that of its arrival.
        case untimedFix(Fix)
        /// What is known has changed.
        case state(State)
        /// The connection is of no use any more, for this reason: close it.
        case failed(Failure)
    }

    /// What is known of gpsd and its receivers.
    public enum State: Hashable, Sendable {
        /// gpsd has not said anything yet.
        case greeting
        /// It has greeted, and was asked for its receivers.
        case listening
        /// It has no receiver, or one that is silent.
        case noReceiver
        /// A receiver is there and has told no place; it uses so many satellites now, when it says so.
        case noPlace(satellites: Int?)
        /// A receiver says that it looks for satellites; it uses so many now, when it says so.
        case searching(satellites: Int?)
        /// A receiver knows where it is, from so many satellites, when it says so.
        case fix(satellites: Int?)
    }

    /// Why a connection is of no use.
    public enum Failure: Error, Hashable, Sendable {
        /// What is there does not speak as gpsd does.
        case notGPSD
        /// It does not answer any more.
        case silent
    }

    /// After how many milliseconds of silence gpsd is asked, and after how many more it counts as gone.
    static let silence: UInt64 = 30_000
    static let patience: UInt64 = 10_000
    /// After how many milliseconds a receiver that is silent from its beginning counts as none.
    static let attention: UInt64 = 15_000
    /// After how many milliseconds without a fix of its receiver another one counts.
    private static let loyalty: UInt64 = 5000
    /// The longest line that is kept, in octets; one of a receiver with many satellites has some 10 000.
    private static let longestLine = 65_536
    private static let request = Array(#"?WATCH={"enable":true,"json":true};"#.utf8) + [0x0A]
    private static let question = Array("?POLL;".utf8) + [0x0A]

    /// What is known.
    public private(set) var state = State.greeting
    /// Lines that could not be understood.
    public private(set) var faultCount = 0
    private var line: [UInt8] = []
    private var isLineTooLong = false
    private var receivers: Set<String> = []
    private var receiver: String?
    private var satellites: Int?
    private var lastFix: UInt64 = 0
    /// Since when the first word of a receiver is waited for.
    private var awaited: UInt64?
    private var lastLine: UInt64
    private var hasAsked = false
    private var hasFailed = false

    /// Starts with a connection that has just been made.
    public init(at now: UInt64) { lastLine = now }

    /// When ``tick(at:)`` wants to be called, in milliseconds of that clock.
    public var deadline: UInt64? {
        if hasFailed { return nil }
        return min(silenceEnd, awaited.map { $0 + Self.attention } ?? .max)
    }

    /// Until when gpsd may say nothing at all.
    private var silenceEnd: UInt64 {
        let isHeard = state != .greeting
        return lastLine + (hasAsked ? Self.silence + Self.patience : isHeard ? Self.silence : Self.patience)
    }

    /// Handles time.
    ///
    /// - Parameter now: Now, by the clock of ``init(at:)``.
    /// - Returns: What is to be done.
    public mutating func tick(at now: UInt64) -> [Output] {
        guard !hasFailed else { return [] }
        var outputs: [Output] = []
        if let awaited, now >= awaited + Self.attention {
            self.awaited = nil
            become(.noReceiver, &outputs)
        }
        guard now >= silenceEnd else { return outputs }
        guard state != .greeting, !hasAsked else {
            return outputs + fail(state == .greeting ? .notGPSD : .silent)
        }
        hasAsked = true
        return outputs + [.send(Self.question)]
    }

    /// Handles octets that came.
    ///
    /// - Parameters:
    ///   - octets: The octets, cut anywhere.
    ///   - now: Now, by the clock of ``init(at:)``.
    /// - Returns: What is to be done, in order.
    public mutating func receive(_ octets: some Sequence<UInt8>, at now: UInt64) -> [Output] {
        guard !hasFailed else { return [] }
        var outputs: [Output] = []
        for octet in octets {
            guard octet == 0x0A else {
                if line.count < Self.longestLine { line.append(octet) } else { isLineTooLong = true }
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            if !line.isEmpty { handleLine(at: now, &outputs) }
            line.removeAll(keepingCapacity: line.count < 4096)
            isLineTooLong = false
            if hasFailed { break }
        }
        return outputs
    }

    private mutating func handleLine(at now: UInt64, _ outputs: inout [Output]) {
        lastLine = now
        hasAsked = false
        let report: GPSDReport
        do throws(JSONDecodingError) {
            guard !isLineTooLong else { throw JSONDecodingError(1, "the line is too long") }
            report = try GPSDReport(line)
        } catch {
            faultCount += 1
            // gpsd greets first: what begins otherwise is something else.
            if state == .greeting { outputs += fail(.notGPSD) }
            return
        }
        guard state != .greeting else {
            guard case .version = report else {
                outputs += fail(.notGPSD)
                return
            }
            outputs.append(.send(Self.request))
            awaited = now
            return become(.listening, &outputs)
        }
        handle(report, at: now, &outputs)
    }

    private mutating func handle(_ report: GPSDReport, at now: UInt64, _ outputs: inout [Output]) {
        if report.isOfReceiver { awaited = nil }
        switch report {
        case .receivers(let paths):
            receivers = Set(paths.prefix(64))
            if let receiver, !receivers.contains(receiver) { forget() }
            if receivers.isEmpty {
                lackReceiver(&outputs)
            } else if receiver == nil {
                awaitReceiver(at: now, &outputs)
            }
        case .receiverCame(let path):
            if receivers.count < 64 { receivers.insert(path) }
            if [.listening, .noReceiver].contains(state) { awaitReceiver(at: now, &outputs) }
        case .receiverWent(let path):
            receivers.remove(path)
            guard receiver == path || receivers.isEmpty else { return }
            forget()
            if receivers.isEmpty { lackReceiver(&outputs) } else { wait(&outputs) }
        case .fix(let fix, let path, let isTimed):
            guard receiver == nil || receiver == path || now - lastFix >= Self.loyalty else { return }
            if receiver != path { satellites = nil }
            receiver = path
            lastFix = now
            outputs.append(isTimed ? .fix(fix) : .untimedFix(fix))
            become(.fix(satellites: satellites), &outputs)
        case .noFix(let path):
            guard receiver == nil || receiver == path else { return }
            if receiver == path { forget() }
            become(.searching(satellites: satellites), &outputs)
        case .noPlace(let path):
            // One report without a place is no loss: the fix before it counts for some seconds.
            guard receiver == nil || receiver == path && now - lastFix >= Self.loyalty else { return }
            if receiver == path { forget() }
            become(.noPlace(satellites: satellites), &outputs)
        case .satellites(let count, let path):
            guard receiver == nil || receiver == path else { return }
            satellites = count
            if case .fix = state { become(.fix(satellites: count), &outputs) } else { wait(&outputs) }
        case .version, .error, .other: return
        }
    }

    private mutating func lackReceiver(_ outputs: inout [Output]) {
        awaited = nil
        become(.noReceiver, &outputs)
    }

    /// A receiver has come: it has some time to say something.
    private mutating func awaitReceiver(at now: UInt64, _ outputs: inout [Output]) {
        if state == .noReceiver { awaited = now }
        wait(&outputs)
    }

    private mutating func forget() { (receiver, satellites) = (nil, nil) }

    /// Goes on without a place: who looks for satellites does so until another word comes.
    private mutating func wait(_ outputs: inout [Output]) {
        if case .searching = state {
            become(.searching(satellites: satellites), &outputs)
        } else {
            become(.noPlace(satellites: satellites), &outputs)
        }
    }

    private mutating func become(_ new: State, _ outputs: inout [Output]) {
        guard new != state else { return }
        state = new
        outputs.append(.state(new))
    }

    private mutating func fail(_ failure: Failure) -> [Output] {
        hasFailed = true
        return [.failed(failure)]
    }
}

extension GPSDReport {
    /// Whether a receiver has said it.
    fileprivate var isOfReceiver: Bool {
        switch self {
        case .fix, .noFix, .noPlace, .satellites: true
        case .version, .receivers, .receiverCame, .receiverWent, .error, .other: false
        }
    }
}
