// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

extension GATT.Server {
    /// Keeps a part of a value until the client says that all parts are there.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.1.
    mutating func prepareWrite(_ pdu: ATT.PrepareWriteRequest, _ database: GATT.Database) {
        guard let attribute = database.attribute(pdu.handle) else {
            refuse(.prepareWriteRequest, pdu.handle, .invalidHandle)
            return
        }
        if let code = unwritable(attribute) {
            refuse(.prepareWriteRequest, pdu.handle, code)
            return
        }
        // What could not be echoed whole was no request of this bearer.
        guard pdu.value.count <= mtu - 5 else {
            refuse(.prepareWriteRequest, pdu.handle, .invalidPDU)
            return
        }
        guard prepared.append(pdu) else {
            refuse(.prepareWriteRequest, pdu.handle, .prepareQueueFull)
            return
        }
        send(ATT.PrepareWriteResponse(handle: pdu.handle, offset: pdu.offset, value: pdu.value))
    }

    /// Writes or forgets what was prepared.
    ///
    /// Every value is put together and judged before the first is written; only a refusal of the session can
    /// come later.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.3.
    mutating func executeWrite(_ pdu: ATT.ExecuteWriteRequest, database: inout GATT.Database) {
        let queue = prepared
        prepared = PrepareQueue(limits)
        guard pdu.commit else {
            send(ATT.ExecuteWriteResponse())
            return
        }
        if let handle = queue.removed {
            refuse(.executeWriteRequest, handle, .invalidHandle)
            return
        }
        var writes: [GATT.ValueWrite] = []
        for handle in queue.handles {
            switch value(of: handle, queue, database) {
            case .success(let value): writes.append(GATT.ValueWrite(value, to: handle))
            case .failure(let code):
                refuse(.executeWriteRequest, handle, code)
                return
            }
        }
        apply(writes[...], database: &database)
    }

    private func value(
        of handle: AttributeHandle, _ queue: PrepareQueue, _ database: GATT.Database
    ) -> Result<[UInt8], ATT.ErrorCode> {
        switch database.attribute(handle)?.content {
        case .clientConfiguration(_, let properties)?:
            let value = queue.value(of: handle, over: [])
            if case .success(let octets) = value, let code = unfit(octets, properties) {
                return .failure(code)
            }
            return value
        case .clientFeatures?:
            let value = queue.value(of: handle, over: [])
            if case .success(let octets) = value, let code = unfitFeatures(octets) { return .failure(code) }
            return value
        case .value(_, .stored(let current))?: return queue.value(of: handle, over: current)
        // What a delegated value is now, only the session knows: its parts begin at the start.
        case .value(_, .delegated)?: return queue.value(of: handle, over: [])
        case .constant?, nil: return .failure(.invalidHandle)
        }
    }

    /// Writes values in order, as far as the next that the session must be given, and answers after the last.
    mutating func apply(_ writes: ArraySlice<GATT.ValueWrite>, database: inout GATT.Database) {
        for (index, write) in zip(writes.indices, writes) {
            switch database.attribute(write.handle)?.content {
            case .clientConfiguration(let handle, _)?: configure(handle, write.value)
            case .clientFeatures?: setFeatures(write.value)
            case .value(_, .stored)?: _ = store(write.value, at: write.handle, &database)
            case .value(_, .delegated)?:
                state = .waiting(.executeWrite(write.handle, rest: writes[(index + 1)...]))
                outputs.append(.write(write.handle, write.value, answered: true))
                return
            case .constant?, nil: break
            }
        }
        send(ATT.ExecuteWriteResponse())
    }
}
