// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT {
    /// The server's end of one ATT bearer.
    ///
    /// It answers from the database that each call lends it. A request for a delegated value is passed on and
    /// answered when the session has; requests that come meanwhile wait, a few of them.
    ///
    /// ```
    ///          request for a delegated value
    ///   free ─────────────────────────────────▶ waiting for the session
    ///     ▲          answer(…)                      │
    ///     └─────────────────────────────────────────┘
    /// ```
    ///
    /// What a client has switched on and said that it can do lives as long as the bearer: without a bond a client
    /// that comes again starts afresh.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.3 and 3.4.
    public struct Server: ~Copyable {
        /// What the server wants done or has to report.
        public enum Output: Sendable {
            /// Send a PDU.
            case send([UInt8])
            /// Ask the session for a value; answer with ``Server/answer(_:database:at:)``.
            case read(AttributeHandle)
            /// Give the session a value; answer with ``Server/answer(_:database:at:)`` when `answered` is true.
            case write(AttributeHandle, [UInt8], answered: Bool)
            /// A stored value was written and kept.
            case stored(AttributeHandle, [UInt8])
            /// The client has switched the values of a characteristic.
            case subscribed(AttributeHandle, Subscription)
            /// The MTU of the bearer is agreed, in octets.
            case mtu(Int)
            /// The client has confirmed an indication of this value.
            case confirmed(AttributeHandle)
            /// The bearer can no longer be used and must be closed.
            case close
        }

        /// Which answer the session owes.
        enum Pending {
            case read(AttributeHandle)
            case readBlob(AttributeHandle, offset: Int)
            case readByType(AttributeHandle)
            case readMultiple(MultipleRead, AttributeHandle)
            case write(AttributeHandle)
            /// Prepared values are being written; this one is with the session, the others follow.
            case executeWrite(AttributeHandle, rest: ArraySlice<ValueWrite>)
            /// The attribute is gone; whatever the session answers, the request is refused.
            case removed(ATT.Opcode, AttributeHandle)
        }

        enum State {
            case free
            case waiting(Pending)
            case closed
        }

        /// An indication that was sent and not yet confirmed.
        @usableFromInline
        struct Indication {
            let handle: AttributeHandle
            @usableFromInline let deadline: HostInstant
            /// Whether it tells that services have changed.
            @usableFromInline var isOfChange = false
        }

        var state = State.free
        var waitingRequests: [[UInt8]] = []
        var prepared: PrepareQueue
        var subscriptions: [AttributeHandle: Subscription] = [:]
        @usableFromInline var indication: Indication?
        @usableFromInline var waitingIndications: [(handle: AttributeHandle, value: [UInt8])] = []
        /// What the client has yet to be told of changed services: the handle of Service Changed, and the range.
        @usableFromInline var change: (handle: AttributeHandle, range: ATT.HandleRange)?
        @usableFromInline var awareness = Awareness.aware
        var outputs = FIFO<Output>()
        /// What the client says it can do.
        public internal(set) var clientFeatures: ClientFeatures = []
        /// What this side can receive, in octets.
        let receiveMTU: Int
        @usableFromInline let limits: Limits
        /// The MTU of the bearer, in octets.
        public internal(set) var mtu = ATT.defaultMTU
        /// How well the link is protected.
        public private(set) var security = LinkSecurity.plain(hasKey: false)
        /// PDUs that made no sense and were ignored.
        public internal(set) var ignored = 0

        /// Starts on a fresh bearer.
        ///
        /// - Parameters:
        ///   - receiveMTU: The largest PDU that this side can receive, in octets.
        ///   - limits: How much is kept at most.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public init(receiveMTU: Int, limits: Limits = Limits()) {
            self.receiveMTU = receiveMTU
            self.limits = limits
            prepared = PrepareQueue(limits)
        }

        /// When to call ``deadlineReached(at:)`` at the latest.
        @inlinable
        public var nextDeadline: HostInstant? { indication?.deadline }

        /// Whether another indication may wait for its turn.
        @inlinable
        public var hasRoomForIndication: Bool { waitingIndications.count < limits.indications }

        /// What the client has switched on for a value.
        ///
        /// - Parameter handle: The value's handle.
        /// - Returns: The subscription; empty when it is off.
        public func subscription(_ handle: AttributeHandle) -> Subscription { subscriptions[handle] ?? [] }

        /// Takes a PDU that a client sends: a request, command or confirmation.
        ///
        /// - Parameters:
        ///   - octets: The whole PDU.
        ///   - database: What the server offers.
        ///   - now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func receive(
            _ octets: RawSpan, database: inout Database, at now: HostInstant
        ) {
            guard octets.byteCount > 0 else {
                ignored += 1
                return
            }
            let opcode = ATT.Opcode(rawValue: octets.unsafeFirst)
            switch (opcode.role, state) {
            case (_, .closed): ignored += 1
            case (.confirmation, _) where octets.byteCount == 1: confirmed(at: now)
            case (.command, _): command(octets, database: &database)
            case (.request, .free):
                request(octets, opcode, database: &database)
                // The request may have shown that the client knows of a change.
                nextIndication(at: now)
            case (.request, .waiting):
                // A client must wait for its answer. One that does not gets some patience, with a bound.
                guard waitingRequests.count < limits.requests else {
                    outputs.append(.close)
                    closed()
                    return
                }
                var reader = ByteReader(octets)
                waitingRequests.append(reader.readRemaining())
            default: ignored += 1
            }
        }

        /// Takes the session's answer to the read or write that was passed on last.
        ///
        /// - Parameters:
        ///   - result: The whole value for a read, anything for a write, or why not.
        ///   - database: What the server offers.
        ///   - now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func answer(
            _ result: Result<[UInt8], ATT.ErrorCode>, database: inout Database, at now: HostInstant
        ) {
            guard case .waiting(let pending) = state else { return }
            state = .free
            finish(pending, result, database: &database)
            while case .free = state, !waitingRequests.isEmpty {
                let octets = waitingRequests.removeFirst()
                receive(octets.octetSpan.bytes, database: &database, at: now)
            }
        }

        /// Sends a value by itself, if the client wants it so.
        ///
        /// - Parameters:
        ///   - value: The value; what exceeds MTU - 3 octets, or 512, is cut off.
        ///   - handle: Its handle.
        ///   - kind: Whether it is to be confirmed.
        ///   - now: The moment.
        /// - Returns: Whether the client has switched this kind on and there was room; not while values are
        ///   withheld (``withholdsValues``).
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func send(
            _ value: [UInt8], of handle: AttributeHandle, as kind: ValueKind, at now: HostInstant
        ) -> Bool {
            if case .closed = state { return false }
            guard !withholdsValues else { return false }
            switch kind {
            case .notify:
                guard let count = lengthOfNotification(value, of: handle) else { return false }
                var writer = ByteWriter(capacity: count)
                writeNotification(value, of: handle, into: &writer)
                outputs.append(.send(writer.octets))
            case .indicate:
                guard subscription(handle).contains(.indicate), hasRoomForIndication else { return false }
                waitingIndications.append((handle, Array(value.prefix(ATT.maximumValueLength))))
                nextIndication(at: now)
            }
            return true
        }

        /// The length of the notification of a value, for whoever writes it where it is to be.
        ///
        /// - Parameters:
        ///   - value: The value; what exceeds MTU - 3 octets, or 512, is cut off.
        ///   - handle: Its handle.
        /// - Returns: Octets of the PDU; `nil` when the client does not want it, as ``send(_:of:as:at:)`` says.
        public func lengthOfNotification(_ value: [UInt8], of handle: AttributeHandle) -> Int? {
            if case .closed = state { return nil }
            guard !withholdsValues, subscription(handle).contains(.notify) else { return nil }
            return min(value.count, ATT.longestValue(atMTU: mtu)) + 3
        }

        /// Writes the notification of a value.
        ///
        /// - Parameters:
        ///   - value: The value; what exceeds MTU - 3 octets, or 512, is cut off.
        ///   - handle: Its handle.
        ///   - writer: Where to write ``lengthOfNotification(_:of:)`` octets.
        public func writeNotification(
            _ value: [UInt8], of handle: AttributeHandle, into writer: inout ByteWriter
        ) {
            writer.write(ATT.Opcode.handleValueNotification.rawValue)
            writer.write(handle.rawValue)
            let longest = ATT.longestValue(atMTU: mtu)
            if value.count <= longest { writer.write(value) } else { writer.write(value.prefix(longest)) }
        }

        /// Takes in that an indication was not confirmed in time.
        ///
        /// - Parameter now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func deadlineReached(at now: HostInstant) {
            guard let indication, indication.deadline <= now else { return }
            outputs.append(.close)
            closed()
        }

        /// Takes in that the bearer is gone.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func closed() {
            state = .closed
            waitingRequests = []
            prepared = PrepareQueue(limits)
            waitingIndications = []
            change = nil
            indication = nil
            subscriptions = [:]
        }

        /// Takes in that an exchange started by the other role of this side has settled the MTU.
        ///
        /// - Parameter mtu: The MTU of the bearer, in octets.
        public mutating func mtuAgreed(_ mtu: Int) { self.mtu = mtu }

        /// Takes in that the link is protected otherwise than before.
        ///
        /// - Parameter security: How well, and whether there is a key to protect it better.
        public mutating func securityChanged(_ security: LinkSecurity) { self.security = security }

        /// The next output.
        ///
        /// - Returns: The output; `nil` when there is none until the next input.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func nextOutput() -> Output? {
            outputs.popFirst()
        }

        private mutating func confirmed(at now: HostInstant) {
            guard let indication else {
                ignored += 1
                return
            }
            self.indication = nil
            if indication.isOfChange {
                // Not if there was another change after this one was reported.
                if change == nil { awareness = .aware }
            } else {
                outputs.append(.confirmed(indication.handle))
            }
            nextIndication(at: now)
        }

        mutating func nextIndication(at now: HostInstant) {
            guard indication == nil else { return }
            // The client may have switched either off meanwhile.
            if let change {
                self.change = nil
                if subscription(change.handle).contains(.indicate) {
                    indicate(change.range.octets, of: change.handle, isOfChange: true, at: now)
                    return
                }
            }
            while indication == nil, !withholdsValues, !waitingIndications.isEmpty {
                let next = waitingIndications.removeFirst()
                guard subscription(next.handle).contains(.indicate) else { continue }
                indicate(Array(next.value.prefix(mtu - 3)), of: next.handle, at: now)
            }
        }

        private mutating func indicate(
            _ value: [UInt8], of handle: AttributeHandle, isOfChange: Bool = false, at now: HostInstant
        ) {
            outputs.append(.send(ATT.HandleValueIndication(handle: handle, value: value).octets))
            indication = Indication(
                handle: handle, deadline: now.advanced(bySeconds: Client.transactionTimeoutSeconds),
                isOfChange: isOfChange)
        }
    }
}
