// SPDX-License-Identifier: Apache-2.0

package import BLEATT
import BLEWire

/// One running operation of a client: what it has so far and which response it waits for.
enum Procedure {
    case exchangeMTU(ours: Int)
    case discover(Discovery)
    case search(ServiceSearch)
    case attributeType(AttributeHandle)
    /// The MTU is the one under which the last request was sent.
    case read(AttributeHandle, soFar: [UInt8], mtu: Int)
    case write
    case prepared(PreparedWrite)
    case list(Listing)
    /// Handles, and whether their values come with their lengths.
    case readMultiple([AttributeHandle], isVariable: Bool)
    case readEach(SingleReads)

    /// What a response leads to.
    enum Step {
        /// Send the next request.
        case proceed(Procedure, [UInt8])
        /// The operation is done.
        case finish(Result<GATT.Answer, GATTRequestError>)
        /// The response belongs to another request.
        case unrelated
    }

    /// The procedure for an operation, with its first request; `nil` when it cannot be done.
    static func start(_ operation: GATT.Operation, mtu: Int) -> (Procedure, [UInt8])? {
        switch operation {
        case .exchangeMTU(let wanted):
            let ours = min(max(wanted, ATT.defaultMTU), 0xFFFF)
            let request = ATT.ExchangeMTURequest(clientMTU: UInt16(clamping: ours))
            return (.exchangeMTU(ours: ours), request.octets)
        case .discover:
            let discovery = Discovery()
            return (.discover(discovery), discovery.request)
        case .findServices(let known): return ServiceSearch.start(known)
        case .attributeType(let handle):
            return (.attributeType(handle), ATT.FindInformationRequest(start: handle, end: handle).octets)
        case .read(let handle):
            return (.read(handle, soFar: [], mtu: mtu), ATT.ReadRequest(handle: handle).octets)
        case .write(let handle, let value):
            guard value.count > ATT.longestValue(atMTU: mtu) else {
                return (.write, ATT.WriteRequest(handle: handle, value: value).octets)
            }
            return PreparedWrite.start([GATT.ValueWrite(value, to: handle)], mtu: mtu)
        case .writeReliably(let writes): return PreparedWrite.start(writes, mtu: mtu)
        case .discoverServices(let uuid): return Listing.start(.services(uuid))
        case .readAll(let uuid): return Listing.start(.values(uuid))
        case .readMultiple(let handles):
            guard handles.count >= 2, handles.count <= (mtu - 1) / 2 else { return nil }
            let request = ATT.ReadMultipleRequest(handles: handles)
            return (.readMultiple(handles, isVariable: false), request.octets)
        case .readMultipleVariable(let handles):
            guard handles.count >= 2, handles.count <= (mtu - 1) / 2 else { return nil }
            let request = ATT.ReadMultipleVariableRequest(handles: handles)
            return (.readMultiple(handles, isVariable: true), request.octets)
        case .writeWithoutResponse: return nil
        }
    }

    /// What comes after a response that makes no sense: a search goes on with what comes next, a server forgets what
    /// was prepared, what came of a value before is kept, all else fails.
    var afterNonsense: Step {
        switch self {
        case .discover(var discovery): return Self.step(discovery.skip(), discovery)
        case .search(let search): return search.afterNonsense
        case .prepared(let write):
            if let (next, request) = write.cancelling(because: .badResponse) {
                return .proceed(next, request)
            }
        default: break
        }
        return .finish(outcome(endedBy: .badResponse))
    }

    /// What an operation has come to when the bearer ends, or an answer makes no sense.
    ///
    /// - Parameter failure: Why it ends.
    /// - Returns: What a search has found until then, or what has been read of a value; of all else the failure.
    func outcome(endedBy failure: GATTRequestError) -> Result<GATT.Answer, GATTRequestError> {
        switch self {
        case .search(let search):
            if let found = search.found(endedBy: failure) { return .success(.found(found)) }
        case .read(_, let soFar, _):
            if !soFar.isEmpty { return .success(.firstPart(soFar, failure)) }
        default: break
        }
        return .failure(failure)
    }

    /// Whether services of a range that have changed make it impossible to go on.
    func dependsOn(_ range: ATT.HandleRange) -> Bool {
        switch self {
        case .exchangeMTU, .write, .readMultiple: false
        case .discover, .search, .list: true
        case .attributeType(let handle), .read(let handle, _, _): range.contains(handle)
        case .prepared(let write): write.names(anyOf: range)
        case .readEach(let reads): reads.handles.contains(where: range.contains)
        }
    }

    /// What comes instead of the next step of an operation when services have changed.
    ///
    /// A search begins again, a server forgets what was prepared, all else fails.
    var afterChange: Step {
        let failure = GATTRequestError.refused(.databaseOutOfSync)
        switch self {
        case .search(let search):
            guard let (next, request) = search.again else { return .finish(.failure(failure)) }
            return .proceed(next, request)
        case .prepared(let write):
            guard let (next, request) = write.cancelling(because: failure) else {
                return .finish(.failure(failure))
            }
            return .proceed(next, request)
        default: return .finish(.failure(failure))
        }
    }

    func receive(_ pdu: ATT.PDU, mtu: Int) -> Step {
        switch self {
        case .exchangeMTU(let ours): Self.mtu(pdu, ours: ours, mtu: mtu)
        case .discover(var discovery): Self.step(discovery.receive(pdu), discovery)
        case .search(let search): search.receive(pdu)
        case .attributeType(let handle): Self.attributeType(pdu, handle)
        case .read(let handle, let soFar, let asked): Self.read(pdu, handle, soFar, asked: asked, mtu: mtu)
        case .readEach(let reads): reads.receive(pdu, mtu: mtu)
        case .write: Self.write(pdu)
        case .prepared(let write): write.receive(pdu, mtu: mtu)
        case .list(let listing): listing.receive(pdu)
        case .readMultiple(let handles, let isVariable):
            Self.readMultiple(pdu, handles, isVariable, mtu: mtu)
        }
    }

    private static func step(_ outcome: Discovery.Outcome, _ discovery: Discovery) -> Step {
        switch outcome {
        case .proceed: .proceed(.discover(discovery), discovery.request)
        case .done: .finish(.success(.services(discovery.services)))
        case .failed(let failure): .finish(.failure(failure))
        case .unrelated: .unrelated
        }
    }

    private static func attributeType(_ pdu: ATT.PDU, _ handle: AttributeHandle) -> Step {
        switch pdu {
        case .findInformationResponse(let response):
            guard let pair = response.pairs.first, pair.handle == handle else {
                return .finish(.failure(.badResponse))
            }
            return .finish(.success(.type(pair.type)))
        case .errorResponse(let error) where error.request == .findInformationRequest:
            return .finish(.failure(.refused(error.code)))
        default: return .unrelated
        }
    }

    private static func mtu(_ pdu: ATT.PDU, ours: Int, mtu: Int) -> Step {
        switch pdu {
        case .exchangeMTUResponse(let response):
            return .finish(.success(.mtu(max(ATT.defaultMTU, min(ours, Int(response.serverMTU))))))
        case .errorResponse(let error) where error.request == .exchangeMTURequest:
            // A server that knows no exchange stays with what there is: the default, or what it has asked for.
            return .finish(.success(.mtu(mtu)))
        default: return .unrelated
        }
    }

    /// Reads go on with Read Blob as long as responses are full.
    ///
    /// The other side may have changed the MTU since the request; then full is what either MTU makes full. A refusal to go
    /// on that does not say that the value has ended leaves what came before, and so does a part that is too long. Of a
    /// value that has no end the first 512 octets are left, or the first part where all parts are the same: the server
    /// does not mind the offset.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 4.8.3.
    static func read(
        _ pdu: ATT.PDU, _ handle: AttributeHandle, _ soFar: [UInt8], asked: Int, mtu: Int
    ) -> Step {
        let part: [UInt8]
        switch pdu {
        case .readResponse(let response) where soFar.isEmpty: part = response.value
        case .readBlobResponse(let response) where !soFar.isEmpty: part = response.value
        case .errorResponse(let error) where soFar.isEmpty && error.request == .readRequest:
            return .finish(.failure(.refused(error.code)))
        case .errorResponse(let error) where !soFar.isEmpty && error.request == .readBlobRequest:
            let answer: GATT.Answer =
                error.code.endsValue ? .value(soFar) : .firstPart(soFar, .refused(error.code))
            return .finish(.success(answer))
        default: return .unrelated
        }
        guard part.count < max(asked, mtu) else {
            return .finish(soFar.isEmpty ? .failure(.badResponse) : .success(.firstPart(soFar, .badResponse)))
        }
        let value = soFar + part
        let longest = min(asked, mtu) - 1
        guard value.count <= ATT.maximumValueLength else {
            let isRepeated = zip(value, value.dropFirst(longest)).allSatisfy { $0 == $1 }
            let end = isRepeated ? min(longest, ATT.maximumValueLength) : ATT.maximumValueLength
            return .finish(.success(.firstPart(Array(value.prefix(end)), .badResponse)))
        }
        guard part.count >= longest, value.count < ATT.maximumValueLength else {
            return .finish(.success(.value(value)))
        }
        let request = ATT.ReadBlobRequest(handle: handle, offset: UInt16(clamping: value.count))
        return .proceed(.read(handle, soFar: value, mtu: mtu), request.octets)
    }

    private static func readMultiple(
        _ pdu: ATT.PDU, _ handles: [AttributeHandle], _ isVariable: Bool, mtu: Int
    ) -> Step {
        let asked = isVariable ? ATT.Opcode.readMultipleVariableRequest : .readMultipleRequest
        switch pdu {
        case .readMultipleResponse(let response) where !isVariable:
            return .finish(.success(.value(response.value)))
        case .readMultipleVariableResponse(let response) where isVariable:
            guard response.values.count <= handles.count else { return .finish(.failure(.badResponse)) }
            let values = zip(handles, response.values).map { GATT.AttributeValue(handle: $0, value: $1) }
            return .finish(.success(.values(values)))
        case .errorResponse(let error) where error.request == asked && error.code == .requestNotSupported:
            return SingleReads(handles, isVariable: isVariable, mtu: mtu).next
        case .errorResponse(let error) where error.request == asked:
            return .finish(.failure(.refused(error.code)))
        default: return .unrelated
        }
    }

    private static func write(_ pdu: ATT.PDU) -> Step {
        switch pdu {
        case .writeResponse: .finish(.success(.done))
        case .errorResponse(let error) where error.request == .writeRequest:
            .finish(.failure(.refused(error.code)))
        default: .unrelated
        }
    }
}

extension ATT.ErrorCode {
    /// Whether what is refused so may be granted later: on a link that is protected, or once the services are found anew.
    package var mayBeGrantedLater: Bool {
        switch self {
        case .insufficientAuthentication, .insufficientAuthorization, .insufficientEncryption,
            .encryptionKeySizeTooShort, .databaseOutOfSync:
            true
        default: false
        }
    }

    /// Whether a server says so that a value has ended.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.5.
    var endsValue: Bool {
        self == .attributeNotLong || self == .invalidOffset || self == .requestNotSupported
    }
}
