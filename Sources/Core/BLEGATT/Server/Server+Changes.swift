// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT.Server {
    /// Whether a client knows that services have changed.
    ///
    /// ```
    ///               services changed                request by handle, refused
    ///   aware ─────────────────────────▶ unaware ───────────────────────────────▶ refused
    ///     ▲                                 │ hash read                             │
    ///     │                                 ▼                                       │
    ///     │                              hashRead                                   │
    ///     │      Service Changed confirmed  │  next request                         │
    ///     └─────────────────────────────────┴───────────────────────────────────────┘
    /// ```
    ///
    /// Only a client that has asked for robust caching is refused anything.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1.
    @usableFromInline
    enum Awareness {
        case aware
        case unaware
        /// It was refused with Database Out Of Sync.
        case refused
        /// It has read the hash of the database as it is now.
        case hashRead
    }

    /// Whether values are not sent because the client does not know yet what their handles mean.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1.
    @inlinable
    public var withholdsValues: Bool {
        clientFeatures.contains(.robustCaching) && awareness != .aware
    }

    /// Whether values are withheld only until the client has confirmed Service Changed, so that who sends
    /// them should wait.
    @inlinable
    public var willAcceptValues: Bool {
        withholdsValues && (change != nil || indication?.isOfChange ?? false)
    }

    /// Takes in that services were added or removed.
    ///
    /// The client is told by Service Changed if it has switched that on; several changes before it has confirmed
    /// make one range. What it had switched on or prepared in a removed range is forgotten, so that nothing of
    /// it reaches a later service with the same handles; a request that waits for the session's answer
    /// there is refused once that comes.
    ///
    /// - Parameters:
    ///   - range: The handles that mean something else now.
    ///   - isRemoved: Whether there was something before.
    ///   - database: What the server offers now.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func servicesChanged(
        _ range: ATT.HandleRange, isRemoved: Bool, database: GATT.Database, at now: HostInstant
    ) {
        if case .closed = state { return }
        awareness = .unaware
        if isRemoved { forget(range) }
        guard let handle = database.valueHandle(of: GATT.CharacteristicType.serviceChanged),
            subscription(handle).contains(.indicate)
        else { return }
        change = (handle, change.map { $0.range.united(with: range) } ?? range)
        nextIndication(at: now)
    }

    private mutating func forget(_ range: ATT.HandleRange) {
        for handle in Array(subscriptions.keys) where range.contains(handle) { subscriptions[handle] = nil }
        waitingIndications.removeAll { range.contains($0.handle) }
        prepared.remove(range)
        guard case .waiting(let pending) = state else { return }
        switch pending {
        case .read(let handle) where range.contains(handle):
            state = .waiting(.removed(.readRequest, handle))
        case .readBlob(let handle, _) where range.contains(handle):
            state = .waiting(.removed(.readBlobRequest, handle))
        case .readByType(let handle) where range.contains(handle):
            state = .waiting(.removed(.readByTypeRequest, handle))
        case .readMultiple(let read, let handle):
            let handles = [handle] + read.rest
            guard let gone = handles.first(where: range.contains) else { return }
            state = .waiting(.removed(read.opcode, gone))
        case .write(let handle) where range.contains(handle):
            state = .waiting(.removed(.writeRequest, handle))
        case .executeWrite(let handle, let rest):
            let handles = [handle] + rest.map { $0.handle }
            guard let gone = handles.first(where: range.contains) else { return }
            state = .waiting(.removed(.executeWriteRequest, gone))
        default: break
        }
    }

    /// Takes in that the client has sent a request: who was told of a change knows of it now.
    mutating func requestArrived() {
        switch awareness {
        case .refused, .hashRead: awareness = .aware
        case .aware, .unaware: break
        }
    }

    /// Refuses a request by handle of a client that does not know of a change, once.
    ///
    /// - Returns: Whether it was refused.
    mutating func refusesUnaware(_ pdu: ATT.PDU, _ opcode: ATT.Opcode) -> Bool {
        guard case .unaware = awareness, clientFeatures.contains(.robustCaching),
            let handle = pdu.handleThatMayHaveChanged
        else { return false }
        awareness = .refused
        prepared = PrepareQueue(limits)
        refuse(opcode, handle, .databaseOutOfSync)
        return true
    }

    /// Takes in that a request was served which may have read the hash.
    mutating func requestServed(_ pdu: ATT.PDU, _ database: GATT.Database) {
        guard awareness != .aware else { return }
        switch pdu {
        case .readByTypeRequest(let pdu) where pdu.type == GATT.CharacteristicType.databaseHash:
            hashAsked(ATT.HandleRange(start: pdu.start, end: pdu.end), database)
        case .readRequest(let pdu):
            hashAsked(ATT.HandleRange(start: pdu.handle, end: pdu.handle), database)
        default: break
        }
    }

    /// Takes in what was asked for; a refusal tells nothing of the hash.
    private mutating func hashAsked(_ range: ATT.HandleRange, _ database: GATT.Database) {
        guard let handle = database.valueHandle(of: GATT.CharacteristicType.databaseHash),
            range.contains(handle), let hash = database.attribute(handle)
        else { return }
        if case .success = readable(hash) { awareness = .hashRead }
    }

    /// Why a value cannot be that of Client Supported Features: it is empty, or clears what was set.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.2.
    func unfitFeatures(_ value: [UInt8]) -> ATT.ErrorCode? {
        guard let first = value.first else { return .invalidAttributeValueLength }
        guard value.count <= ATT.maximumValueLength else { return .invalidAttributeValueLength }
        return clientFeatures.isSubset(of: GATT.ClientFeatures(rawValue: first)) ? nil : .valueNotAllowed
    }

    /// Keeps what the client says it can do, without bits that have no meaning; the value fits.
    mutating func setFeatures(_ value: [UInt8]) {
        clientFeatures = GATT.ClientFeatures(rawValue: value.first ?? 0).intersection(.all)
    }
}

extension ATT.PDU {
    /// The first handle that a request names, for those that a client must not send while it does not know of a
    /// change.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1.
    fileprivate var handleThatMayHaveChanged: AttributeHandle? {
        switch self {
        case .readRequest(let pdu): pdu.handle
        case .readBlobRequest(let pdu): pdu.handle
        case .readMultipleRequest(let pdu): pdu.handles.first
        case .readMultipleVariableRequest(let pdu): pdu.handles.first
        case .writeRequest(let pdu): pdu.handle
        case .prepareWriteRequest(let pdu): pdu.handle
        // What is to be written now are values of handles that were named before.
        case .executeWriteRequest(let pdu): pdu.commit ? 0 : nil
        case .readByTypeRequest(let pdu):
            pdu.start == .first && pdu.end == .last || pdu.type == GATT.AttributeType.include
                || pdu.type == GATT.AttributeType.characteristic ? nil : pdu.start
        default: nil
        }
    }
}
