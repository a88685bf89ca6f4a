// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Values that a server is given in parts, and writes when it has them all.
///
/// ```
///                 echo is right, more parts
///                ┌──────────────┐
///                ▼              │        echo of the last part
///   start ──▶ preparing ────────┴──────────────────────────────▶ executing ──▶ end
///                │ wrong echo, refusal of a later part
///                ▼
///            cancelling ──▶ end, with the failure
/// ```
///
/// The server's queue never outlives the operation: what was prepared is written or forgotten.
///
/// Spec: Core v5.4, Vol 3, Part G, 4.9.4 and 4.9.5.
struct PreparedWrite {
    enum Phase {
        /// The part that waits for its echo.
        case preparing(ATT.PrepareWriteRequest)
        case executing
        case cancelling(GATTRequestError)
    }

    private let writes: [GATT.ValueWrite]
    /// The value whose part was sent last.
    private var index = 0
    /// Whether the server has accepted a part.
    private var hasPrepared = false
    private var phase: Phase

    /// The procedure with its first request; `nil` for no values, and for one that is too long.
    static func start(_ writes: [GATT.ValueWrite], mtu: Int) -> (Procedure, [UInt8])? {
        guard let first = writes.first,
            writes.allSatisfy({ $0.value.count <= ATT.maximumValueLength })
        else { return nil }
        let part = part(of: first, from: 0, mtu: mtu)
        return (.prepared(PreparedWrite(writes: writes, phase: .preparing(part))), part.octets)
    }

    private init(writes: [GATT.ValueWrite], phase: Phase) {
        self.writes = writes
        self.phase = phase
    }

    func receive(_ pdu: ATT.PDU, mtu: Int) -> Procedure.Step {
        switch (phase, pdu) {
        case (.preparing(let part), .prepareWriteResponse(let echo)):
            let isRight = echo.handle == part.handle && echo.offset == part.offset && echo.value == part.value
            return isRight ? accepted(part, mtu: mtu) : cancel(because: .badResponse)
        case (.preparing, .errorResponse(let error)) where error.request == .prepareWriteRequest:
            // Nothing is to be forgotten when the first part was refused.
            return hasPrepared
                ? cancel(because: .refused(error.code)) : .finish(.failure(.refused(error.code)))
        case (.executing, .executeWriteResponse): return .finish(.success(.done))
        case (.executing, .errorResponse(let error)) where error.request == .executeWriteRequest:
            return .finish(.failure(.refused(error.code)))
        case (.cancelling(let failure), .executeWriteResponse): return .finish(.failure(failure))
        case (.cancelling(let failure), .errorResponse(let error)) where error.request == .executeWriteRequest:
            return .finish(.failure(failure))
        default: return .unrelated
        }
    }

    /// Whether it writes to a handle of a range.
    func names(anyOf range: ATT.HandleRange) -> Bool { writes.contains { range.contains($0.handle) } }

    /// The request that makes the server forget what was prepared; `nil` when it has nothing any more.
    func cancelling(because failure: GATTRequestError) -> (Procedure, [UInt8])? {
        guard case .preparing = phase else { return nil }
        var next = self
        next.phase = .cancelling(failure)
        return (.prepared(next), ATT.ExecuteWriteRequest(commit: false).octets)
    }

    private func cancel(because failure: GATTRequestError) -> Procedure.Step {
        guard let (procedure, request) = cancelling(because: failure) else {
            return .finish(.failure(failure))
        }
        return .proceed(procedure, request)
    }

    private func accepted(_ part: ATT.PrepareWriteRequest, mtu: Int) -> Procedure.Step {
        var next = self
        next.hasPrepared = true
        var offset = Int(part.offset) + part.value.count
        if offset >= writes[index].value.count {
            next.index += 1
            offset = 0
        }
        guard next.index < writes.count else {
            next.phase = .executing
            return .proceed(.prepared(next), ATT.ExecuteWriteRequest(commit: true).octets)
        }
        let following = Self.part(of: writes[next.index], from: offset, mtu: mtu)
        next.phase = .preparing(following)
        return .proceed(.prepared(next), following.octets)
    }

    private static func part(
        of write: GATT.ValueWrite, from offset: Int, mtu: Int
    ) -> ATT.PrepareWriteRequest {
        ATT.PrepareWriteRequest(
            handle: write.handle, offset: UInt16(truncatingIfNeeded: offset),
            value: Array(write.value[offset...].prefix(mtu - 5)))
    }
}
