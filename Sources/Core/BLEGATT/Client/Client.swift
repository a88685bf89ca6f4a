// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT {
    /// The client's end of one ATT bearer.
    ///
    /// Operations wait in a bounded queue; one runs at a time, and one request is outstanding at a time.
    ///
    /// ```
    ///            perform                 last response, error
    ///   idle ─────────────▶ running ───────────────────────────▶ idle
    ///                          │ 30 s
    ///                          ▼
    ///                        closed  (every operation has ended)
    /// ```
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.3.2 and 3.3.3.
    public struct Client: ~Copyable {
        /// What the client wants done or has found out.
        public enum Output: Sendable {
            /// Send a PDU.
            case send([UInt8])
            /// An operation is done.
            case completed(OperationID, Result<Answer, GATTRequestError>)
            /// The server has sent a value by itself.
            case value(AttributeHandle, [UInt8], ValueKind)
            /// The server's services of these handles are not what they were: find them again.
            case servicesChanged(ATT.HandleRange)
            /// The MTU of the bearer is agreed, in octets.
            case mtu(Int)
            /// The server has sent a PDU that makes no sense or that nobody has asked for; its first octets, at
            /// most ``shownOctets``.
            ///
            /// A response of the right kind that makes no sense fails its request besides; of a list whose last entry is
            /// cut short the others are taken. Everything else is ignored.
            case malformed([UInt8])
            /// The bearer can no longer be used and must be closed.
            case close
        }

        enum State {
            case idle
            case running(OperationID, Procedure, deadline: HostInstant)
            case closed
        }

        struct Waiting {
            let id: OperationID
            let operation: Operation
        }

        /// How long a server may take for a response, in seconds.
        ///
        /// Spec: Core v5.4, Vol 3, Part F, 3.3.3.
        public static let transactionTimeoutSeconds: UInt64 = 30
        /// How much of a PDU that makes no sense is shown, in octets.
        public static let shownOctets = 32

        var state = State.idle
        var queue: [Waiting] = []
        var outputs = FIFO<Output>()
        var lastID: UInt32 = 0
        /// The request that waits for its response.
        var asked = ATT.Opcode(rawValue: 0)
        /// Tells its response from one before that comes once more.
        var repeated = RepeatedAnswers()
        /// Operations whose completion was not taken out yet.
        @usableFromInline var unfinished = 0
        /// Whether an exchange of the MTU was begun; a client may ask once on a bearer.
        var hasExchangedMTU = false
        /// The value that tells of changed services, once a search has found it.
        var serviceChangedHandle: AttributeHandle?
        /// Whether services have changed that the running operation depends on.
        var isOutdated = false
        /// The MTU of the bearer, in octets.
        public internal(set) var mtu = ATT.defaultMTU
        /// PDUs that made no sense or that nobody had asked for, and were ignored.
        public private(set) var ignored = 0

        let limits: Limits

        /// Starts on a fresh bearer.
        public init(limits: Limits = Limits()) { self.limits = limits }

        /// When to call ``deadlineReached(at:)`` at the latest.
        @inline(never)  // Swift 6.3.1's optimiser fails on it inlined across modules in Embedded builds.
        public var nextDeadline: HostInstant? {
            guard case .running(_, _, let deadline) = state else { return nil }
            return HostInstant.earliest(deadline, repeated.held?.until)
        }

        /// Whether operations are running or waiting, or what came of them does.
        @inlinable
        public var isBusy: Bool { unfinished > 0 }

        /// Starts an operation, or lets it wait its turn.
        ///
        /// - Parameters:
        ///   - operation: What to do.
        ///   - now: The moment.
        /// - Returns: The name under which it will be completed, exactly once.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func perform(_ operation: Operation, at now: HostInstant) -> OperationID {
            let id = nextID()
            if case .closed = state {
                outputs.append(.completed(id, .failure(.disconnected)))
            } else if case .writeWithoutResponse(let handle, let value) = operation {
                // Commands need no turn: they have no response to wait for.
                if value.count <= ATT.longestValue(atMTU: mtu) {
                    outputs.append(.send(ATT.WriteCommand(handle: handle, value: value).octets))
                    outputs.append(.completed(id, .success(.done)))
                } else {
                    outputs.append(.completed(id, .failure(.tooLong)))
                }
            } else if queue.count >= limits.operations {
                outputs.append(.completed(id, .failure(.queueFull)))
            } else {
                queue.append(Waiting(id: id, operation: operation))
                startNext(at: now)
            }
            return id
        }

        /// Turns an operation away because the link has no room for it.
        ///
        /// - Returns: The name under which it is completed, with ``GATTRequestError/queueFull``.
        public mutating func turnAway() -> OperationID {
            let id = nextID()
            outputs.append(.completed(id, .failure(.queueFull)))
            return id
        }

        /// Takes a PDU that a server sends: a response, notification or indication.
        ///
        /// - Parameters:
        ///   - octets: The whole PDU.
        ///   - now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func receive(_ octets: RawSpan, at now: HostInstant) {
            if case .closed = state {
                ignored += 1
                return
            }
            let pdu: ATT.PDU
            do throws(DecodeError) {
                pdu = try ATT.PDU(decoding: octets)
            } catch {
                malformed(octets, at: now)
                return
            }
            switch pdu {
            case .handleValueNotification(let pdu):
                outputs.append(.value(pdu.handle, pdu.value, .notify))
            case .multipleHandleValueNotification(let pdu):
                for item in pdu.items { outputs.append(.value(item.handle, item.value, .notify)) }
            case .handleValueIndication(let pdu):
                outputs.append(.send(ATT.HandleValueConfirmation().octets))
                outputs.append(.value(pdu.handle, pdu.value, .indicate))
                if pdu.handle == serviceChangedHandle, let range = ATT.HandleRange(octets: pdu.value) {
                    servicesChanged(range)
                }
            case _ where ATT.Opcode(rawValue: octets.unsafeFirst).role == .response:
                guard case .running(let id, let procedure, _) = state else {
                    ignore(octets)
                    return
                }
                if repeated.hold(octets, of: asked, at: now) { return }
                var step = procedure.receive(pdu, mtu: mtu)
                if case .unrelated = step {
                    // Phones ignore it, too; an answer may still come.
                    ignore(octets)
                    return
                }
                answered(by: octets)
                // Of a change that this side knows of it need not be told.
                let wasOutdated = isOutdated
                if case .proceed = step, isOutdated {
                    // A search begins again; what else goes on only takes back what it did.
                    if case .search = procedure { isOutdated = false }
                    step = procedure.afterChange
                }
                take(step, id, wasOutdated: wasOutdated, at: now)
            default: ignore(octets)
            }
        }

        /// Takes a PDU if it is a notification that need not wait for ``nextOutput()``.
        ///
        /// - Parameter octets: The whole PDU.
        /// - Returns: The notification; `nil` for what ``receive(_:at:)`` has to take.
        public mutating func receiveNotification(_ octets: RawSpan) -> ATT.HandleValueNotification? {
            if case .closed = state { return nil }
            guard outputs.isEmpty else { return nil }
            var reader = ByteReader(octets)
            do throws(DecodeError) {
                let opcode = ATT.Opcode(rawValue: try reader.readUInt8())
                guard opcode == .handleValueNotification else { return nil }
                return try ATT.HandleValueNotification(decoding: &reader)
            } catch {
                return nil
            }
        }

        /// Takes in that a transaction was not answered in time.
        ///
        /// - Parameter now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func deadlineReached(at now: HostInstant) {
            if let answer = repeated.answer(at: now) {
                receive(answer.octetSpan.bytes, at: now)
                return
            }
            guard case .running(let id, let procedure, let deadline) = state, deadline <= now else { return }
            outputs.append(.completed(id, procedure.outcome(endedBy: .timeout)))
            state = .idle
            outputs.append(.close)
            closed()
        }

        /// Takes in that the bearer is gone: every operation ends, with what it has until then or with a failure.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func closed() {
            if case .running(let id, let procedure, _) = state {
                outputs.append(.completed(id, procedure.outcome(endedBy: .disconnected)))
            }
            for waiting in queue { outputs.append(.completed(waiting.id, .failure(.disconnected))) }
            queue = []
            repeated.close()
            state = .closed
        }

        /// Takes in that the other side has asked for an exchange and what came of it.
        ///
        /// - Parameter mtu: The MTU of the bearer, in octets.
        public mutating func mtuAgreed(_ mtu: Int) { self.mtu = mtu }

        /// The next output.
        ///
        /// - Returns: The output; `nil` when there is none until the next input.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func nextOutput() -> Output? {
            let output = outputs.popFirst()
            if case .completed = output { unfinished &-= 1 }
            return output
        }

        private mutating func nextID() -> OperationID {
            lastID &+= 1
            unfinished &+= 1
            return OperationID(rawValue: lastID)
        }

        private mutating func take(
            _ step: Procedure.Step, _ id: OperationID, wasOutdated: Bool, at now: HostInstant
        ) {
            switch step {
            case .proceed(let next, let request): ask(request, for: next, id, at: now)
            case .finish(let result):
                if case .success(.mtu(let mtu)) = result {
                    self.mtu = mtu
                    outputs.append(.mtu(mtu))
                }
                if case .success(.found(let found)) = result {
                    serviceChangedHandle = found.services.serviceChanged?.valueHandle
                }
                outputs.append(.completed(id, result))
                state = .idle
                switch result {
                case .failure(.refused(.databaseOutOfSync)),
                    .success(.firstPart(_, .refused(.databaseOutOfSync))):
                    if !wasOutdated { servicesChanged(ATT.HandleRange(start: .first, end: .last)) }
                default: break
                }
                startNext(at: now)
            case .unrelated: break
            }
        }

        private mutating func ask(
            _ request: [UInt8], for procedure: Procedure, _ id: OperationID, at now: HostInstant
        ) {
            asked = ATT.Opcode(rawValue: request[0])
            repeated.ask(request)
            outputs.append(.send(request))
            state = .running(id, procedure, deadline: now.advanced(bySeconds: Self.transactionTimeoutSeconds))
        }

        /// Tells of the change and fails what waits and names handles that mean something else now.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1 and 7.1.
        private mutating func servicesChanged(_ range: ATT.HandleRange) {
            outputs.append(.servicesChanged(range))
            if case .running(_, let procedure, _) = state, procedure.dependsOn(range) { isOutdated = true }
            let waiting = queue
            queue = waiting.filter { !$0.operation.names(anyOf: range) }
            for waiting in waiting where waiting.operation.names(anyOf: range) {
                outputs.append(.completed(waiting.id, .failure(.refused(.databaseOutOfSync))))
            }
        }

        /// A malformed response of the right kind fails its request, unless it is a list of which entries are whole;
        /// anything else malformed is ignored.
        private mutating func malformed(_ octets: RawSpan, at now: HostInstant) {
            guard case .running(let id, let procedure, _) = state, octets.byteCount > 0,
                octets.unsafeFirst == asked.rawValue &+ 1
            else {
                ignore(octets)
                return
            }
            show(octets)
            if let whole = octets.wholeEntries {
                receive(octets.extracting(first: whole), at: now)
                return
            }
            answered(by: octets)
            take(procedure.afterNonsense, id, wasOutdated: isOutdated, at: now)
        }

        /// Tells of a response that was held, for which nobody had asked, now that the one that was asked for is there.
        private mutating func answered(by octets: RawSpan) {
            guard let held = repeated.take(octets) else { return }
            ignored += 1
            show(held.octetSpan.bytes)
        }

        private mutating func ignore(_ octets: RawSpan) {
            repeated.ignore(octets)
            ignored += 1
            show(octets)
        }

        private mutating func show(_ octets: RawSpan) {
            var reader = ByteReader(octets.extracting(first: Self.shownOctets))
            outputs.append(.malformed(reader.readRemaining()))
        }

        private mutating func startNext(at now: HostInstant) {
            while case .idle = state, !queue.isEmpty {
                let next = queue.removeFirst()
                isOutdated = false
                if case .exchangeMTU = next.operation {
                    guard !hasExchangedMTU else {
                        outputs.append(.completed(next.id, .success(.mtu(mtu))))
                        continue
                    }
                    hasExchangedMTU = true
                }
                guard let (procedure, request) = Procedure.start(next.operation, mtu: mtu) else {
                    outputs.append(.completed(next.id, .failure(.unsupported)))
                    continue
                }
                ask(request, for: procedure, next.id, at: now)
            }
        }
    }
}

extension RawSpan {
    /// The first octet; the caller has checked that there is one.
    var unsafeFirst: UInt8 { unsafe unsafeLoad(fromByteOffset: 0, as: UInt8.self) }

    /// How many octets of a response are whole entries, where it is a list whose last one is cut short.
    fileprivate var wholeEntries: Int? {
        guard byteCount > 2 else { return nil }
        // The length of an entry, or which of two it is; there are more than two octets.
        let second = Int(unsafe unsafeLoad(fromByteOffset: 1, as: UInt8.self))
        let length: Int
        switch ATT.Opcode(rawValue: unsafeFirst) {
        case .readByTypeResponse, .readByGroupTypeResponse: length = second
        case .findInformationResponse: length = second == 1 ? 4 : second == 2 ? 18 : 0
        default: return nil
        }
        guard length > 0, byteCount - 2 > length, !(byteCount - 2).isMultiple(of: length) else { return nil }
        return byteCount - (byteCount - 2) % length
    }
}
