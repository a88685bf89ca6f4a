// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Sends commands no faster than the controller allows and gives each answer to whom it is for.
    ///
    /// ```
    ///  enqueue ─▶ [ waiting ] ─ nextCommand, while there are credits ─▶ [ outstanding ]
    ///                                          answered by opcode ◀── Command Complete or Status
    ///                                          expired            ◀── 2 s without an answer
    /// ```
    ///
    /// A controller that has much to tell is not silent: the answer stands behind what it tells, and is waited for until
    /// it has told nothing for as long, or for 30 s.
    ///
    /// Each answer says how many commands the controller takes; commands that are still outstanding count
    /// against that number, so that there are never more of them than credits.
    ///
    /// Inlinable, so that a host's queue is built for its purposes: one that looks its types up as it runs costs a host
    /// a sixth of a turn.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 4.4 and 4.5.
    public struct CommandQueue<Purpose: Sendable>: ~Copyable {
        /// What the controller answered.
        public enum Answer: Hashable, Sendable {
            /// Command Complete with its return parameters.
            case complete([UInt8])
            /// Command Status.
            case status(Status)
        }

        /// An answer, and what was asked.
        public struct Completion: Sendable {
            /// Which command.
            public var opcode: Opcode
            /// What it was for.
            public var purpose: Purpose
            /// What was answered.
            public var answer: Answer

            @inlinable
            init(_ opcode: Opcode, _ purpose: Purpose, _ answer: Answer) {
                (self.opcode, self.purpose, self.answer) = (opcode, purpose, answer)
            }
        }

        @usableFromInline
        struct Waiting {
            @usableFromInline let opcode: Opcode
            @usableFromInline let parameters: [UInt8]
            @usableFromInline let purpose: Purpose

            @inlinable
            init(_ opcode: Opcode, _ parameters: [UInt8], _ purpose: Purpose) {
                (self.opcode, self.parameters, self.purpose) = (opcode, parameters, purpose)
            }
        }

        @usableFromInline
        struct Outstanding {
            @usableFromInline let opcode: Opcode
            @usableFromInline let purpose: Purpose
            @usableFromInline let deadline: HostInstant
            /// When it expires, whatever else the controller tells.
            @usableFromInline let end: HostInstant

            @inlinable
            init(_ opcode: Opcode, _ purpose: Purpose, _ deadline: HostInstant, _ end: HostInstant) {
                (self.opcode, self.purpose, self.deadline, self.end) = (opcode, purpose, deadline, end)
            }
        }

        /// Commands that may wait.
        public let capacity: Int
        /// How long the controller may take, in microseconds.
        public let timeoutMicroseconds: UInt64
        /// Answers that belonged to no outstanding command.
        public var unexpectedAnswers: UInt64 { unexpected }
        @usableFromInline var unexpected: UInt64 = 0
        @usableFromInline var waiting = FIFO<Waiting>()
        @usableFromInline var outstanding: [Outstanding] = []
        /// When a controller that takes no command at all, and owes no answer, is silent for too long.
        @usableFromInline var creditDeadline: HostInstant?
        /// When the controller has told something else last.
        @usableFromInline var heard: HostInstant?
        /// A host may send one command before it has heard anything.
        @usableFromInline var credits = 1

        /// Starts with nothing to send.
        @inlinable
        public init(capacity: Int = 64, timeoutMicroseconds: UInt64 = 2_000_000) {
            self.capacity = capacity
            self.timeoutMicroseconds = timeoutMicroseconds
        }

        /// Whether nothing waits and nothing is outstanding.
        @inlinable
        public var isIdle: Bool { waiting.isEmpty && outstanding.isEmpty }

        /// When ``expire(at:)`` must be called.
        @inlinable
        public var nextDeadline: HostInstant? {
            guard let first = outstanding.first else { return creditDeadline }
            return deadline(of: first)
        }

        @inlinable
        func deadline(of command: Outstanding) -> HostInstant {
            guard let heard else { return command.deadline }
            let postponed = max(command.deadline, heard.advanced(byMicroseconds: timeoutMicroseconds))
            return min(postponed, command.end)
        }

        /// Notes that the controller has told something that is no answer.
        ///
        /// - Parameter now: The moment.
        @inlinable
        public mutating func controllerHeard(at now: HostInstant) {
            if !outstanding.isEmpty { heard = now }
        }

        /// Queues a command.
        ///
        /// - Parameters:
        ///   - command: The command.
        ///   - purpose: What it is for; its answer brings that back.
        /// - Returns: Whether there was room.
        @inlinable
        public mutating func enqueue<C: Command>(_ command: C, for purpose: Purpose) -> Bool {
            enqueue(C.opcode, command.octets, for: purpose)
        }

        /// Queues a command.
        ///
        /// - Parameters:
        ///   - opcode: Which command.
        ///   - parameters: Its parameters; at most 255 octets.
        ///   - purpose: What it is for; its answer brings that back.
        /// - Returns: Whether there was room.
        @inlinable
        public mutating func enqueue(_ opcode: Opcode, _ parameters: [UInt8], for purpose: Purpose) -> Bool {
            guard waiting.count < capacity else { return false }
            waiting.append(Waiting(opcode, parameters, purpose))
            return true
        }

        /// Takes out the next command that may be sent now.
        ///
        /// - Parameter now: The moment.
        /// - Returns: The packet to send; `nil` when nothing waits or the controller takes no more.
        @inlinable
        public mutating func nextCommand(at now: HostInstant) -> Packet? {
            guard credits > 0, let next = waiting.popFirst() else {
                let isStuck = outstanding.isEmpty && !waiting.isEmpty
                creditDeadline =
                    isStuck ? creditDeadline ?? now.advanced(byMicroseconds: timeoutMicroseconds) : nil
                return nil
            }
            creditDeadline = nil
            credits -= 1
            outstanding.append(
                Outstanding(
                    next.opcode, next.purpose, now.advanced(byMicroseconds: timeoutMicroseconds),
                    now.advanced(byMicroseconds: 15 * timeoutMicroseconds)))
            return .command(next.opcode, next.parameters)
        }

        /// Takes Command Complete.
        ///
        /// - Parameter event: The event.
        /// - Returns: The command that it answers, if any.
        @inlinable
        public mutating func receive(_ event: CommandComplete) -> Completion? {
            answer(event.opcode, .complete(event.returnParameters), event.commandPackets)
        }

        /// Takes Command Status.
        ///
        /// - Parameter event: The event.
        /// - Returns: The command that it answers, if any.
        @inlinable
        public mutating func receive(_ event: CommandStatus) -> Completion? {
            answer(event.opcode, .status(event.status), event.commandPackets)
        }

        /// Takes out a command that the controller did not answer, or would not take, in time.
        ///
        /// - Parameter now: The moment.
        /// - Returns: What the oldest such command was for; call again until `nil` comes.
        @inlinable
        public mutating func expire(at now: HostInstant) -> Purpose? {
            if outstanding.isEmpty, let deadline = creditDeadline, deadline <= now, !waiting.isEmpty {
                creditDeadline = nil
                credits = max(credits, 1)
                return waiting.popFirst()?.purpose
            }
            guard let first = outstanding.first, deadline(of: first) <= now else { return nil }
            outstanding.removeFirst()
            // With nothing outstanding no answer would ever bring a credit back, not even for a reset.
            if outstanding.isEmpty { credits = max(credits, 1) }
            return first.purpose
        }

        /// Forgets everything, as after a reset of the transport.
        @inlinable
        public mutating func removeAll() {
            waiting = FIFO()
            outstanding = []
            creditDeadline = nil
            heard = nil
            credits = 1
        }

        @inlinable
        mutating func answer(_ opcode: Opcode, _ answer: Answer, _ packets: UInt8) -> Completion? {
            let index = outstanding.firstIndex { $0.opcode == opcode }
            let answered = index.map { outstanding.remove(at: $0) }
            credits = max(0, Int(packets) - outstanding.count)
            guard let answered else {
                if opcode != .none { unexpected &+= 1 }
                return nil
            }
            return Completion(opcode, answered.purpose, answer)
        }
    }
}
