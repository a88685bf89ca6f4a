// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Finds everything a server has, over the whole handle range, in five passes.
///
/// Passes that span services need fewer requests than one for each service. Each pass goes on after the
/// last handle it was told of; a server whose answers do not advance is caught by that. An include of a service
/// with a long UUID does not name it: when the service was not among those found, its declaration is read.
///
/// Spec: Core v5.4, Vol 3, Part G, 4.4 to 4.7.
struct Discovery {
    enum Pass {
        case services(primary: Bool)
        case includes
        /// Reads the declaration of the first service that is included and not known.
        case includedService
        case characteristics
        case descriptors(gap: Int)
    }

    /// An include whose service is not known, and in which service it stands.
    struct Unknown {
        let service: Int
        let handle: AttributeHandle
        let start: AttributeHandle
        let end: AttributeHandle
    }

    /// Handles between a characteristic's value and the end of it.
    struct Gap {
        let service: Int
        let characteristic: Int
        let end: AttributeHandle
    }

    var pass = Pass.services(primary: true)
    var start = AttributeHandle.first
    var services: [GATT.Service] = []
    var unknown: [Unknown] = []
    var gaps: [Gap] = []
    /// Whether the last handle of the pass was told; nothing may follow it in the same response.
    var isPassOver = false

    /// The next request.
    var request: [UInt8] {
        switch pass {
        case .services(let primary):
            ATT.ReadByGroupTypeRequest(
                start: start, end: .last,
                type: primary ? GATT.AttributeType.primaryService : GATT.AttributeType.secondaryService
            ).octets
        case .includes:
            ATT.ReadByTypeRequest(start: start, end: .last, type: GATT.AttributeType.include).octets
        case .includedService: ATT.ReadRequest(handle: unknown.first?.start ?? 0).octets
        case .characteristics:
            ATT.ReadByTypeRequest(start: start, end: .last, type: GATT.AttributeType.characteristic).octets
        case .descriptors(let gap):
            ATT.FindInformationRequest(start: start, end: gaps[gap].end).octets
        }
    }

    func receive(_ pdu: ATT.PDU) -> Procedure.Step {
        var next = self
        do throws(DiscoveryFault) {
            try next.process(pdu)
        } catch {
            switch error {
            case .wrongResponse: return .violation
            case .refused(let code): return .finish(.failure(.refused(code)))
            case .nonsense: return .finish(.failure(.badResponse))
            }
        }
        return next.isDone
            ? .finish(.success(.services(next.services))) : .proceed(.discover(next), next.request)
    }

    private enum DiscoveryFault: Error {
        case wrongResponse
        case refused(ATT.ErrorCode)
        case nonsense
    }

    private var isDone: Bool {
        if case .descriptors(let gap) = pass { return gap >= gaps.count }
        return false
    }

    private mutating func process(_ pdu: ATT.PDU) throws(DiscoveryFault) {
        switch (pass, pdu) {
        case (.services(let primary), .readByGroupTypeResponse(let response)):
            for item in response.items { try addService(item, primary: primary) }
        case (.includes, .readByTypeResponse(let response)):
            for item in response.items { try addInclude(item) }
        case (.includedService, .readResponse(let response)):
            name(try uuid(response.value))
            nextPass()
        case (.characteristics, .readByTypeResponse(let response)):
            for item in response.items { try addCharacteristic(item) }
        case (.descriptors(let gap), .findInformationResponse(let response)):
            for pair in response.pairs { try addDescriptor(pair, gaps[gap]) }
        case (_, .errorResponse(let error)) where error.request.rawValue == request.first:
            try passEnded(error.code)
        default: throw .wrongResponse
        }
        if isPassOver { nextPass() }
    }

    /// Goes on after a handle; the pass is over when it was the last.
    private mutating func advance(past handle: AttributeHandle, from: AttributeHandle) throws(DiscoveryFault)
    {
        guard !isPassOver, from >= start, handle >= from else { throw .nonsense }
        var end = AttributeHandle.last
        if case .descriptors(let gap) = pass { end = gaps[gap].end }
        guard let next = handle.next, next <= end else {
            isPassOver = true
            return
        }
        start = next
    }

    private mutating func addService(
        _ item: ATT.ReadByGroupTypeResponse.Item, primary: Bool
    ) throws(DiscoveryFault) {
        guard item.end >= item.start else { throw .nonsense }
        let service = GATT.Service(
            uuid: try uuid(item.value), handle: item.start, endHandle: item.end, isPrimary: primary)
        try advance(past: item.end, from: item.start)
        services.append(service)
    }

    private mutating func addInclude(_ item: ATT.ReadByTypeResponse.Item) throws(DiscoveryFault) {
        guard item.value.count == 6 || item.value.count == 4 else { throw .nonsense }
        let first = AttributeHandle(rawValue: UInt16(item.value[0]) | UInt16(item.value[1]) << 8)
        let last = AttributeHandle(rawValue: UInt16(item.value[2]) | UInt16(item.value[3]) << 8)
        try advance(past: item.handle, from: item.handle)
        // A 128-bit UUID does not fit the declaration; most often the service itself has been found before.
        let known = services.first { $0.handle == first }?.uuid
        let uuid: BluetoothUUID? =
            item.value.count == 6 ? BluetoothUUID(UInt16(item.value[4]) | UInt16(item.value[5]) << 8) : known
        guard let index = service(of: item.handle) else { return }
        guard let uuid else {
            unknown.append(Unknown(service: index, handle: item.handle, start: first, end: last))
            return
        }
        services[index].includes.append(
            GATT.Include(handle: item.handle, uuid: uuid, startHandle: first, endHandle: last))
    }

    /// Gives the first service that is not known its UUID, in each include of it; `nil` leaves those out.
    private mutating func name(_ uuid: BluetoothUUID?) {
        guard let start = unknown.first?.start else { return }
        let all = unknown
        unknown = all.filter { $0.start != start }
        guard let uuid else { return }
        for include in all where include.start == start {
            let includes = services[include.service].includes
            let index = includes.firstIndex { $0.handle > include.handle } ?? includes.count
            services[include.service].includes.insert(
                GATT.Include(
                    handle: include.handle, uuid: uuid, startHandle: include.start, endHandle: include.end),
                at: index)
        }
    }

    private mutating func addCharacteristic(_ item: ATT.ReadByTypeResponse.Item) throws(DiscoveryFault) {
        guard item.value.count == 5 || item.value.count == 19 else { throw .nonsense }
        let valueHandle = AttributeHandle(rawValue: UInt16(item.value[1]) | UInt16(item.value[2]) << 8)
        let uuid = try uuid(Array(item.value[3...]))
        try advance(past: item.handle, from: item.handle)
        // What a server hides the service of, as some do secondary ones, is in no tree.
        guard let index = service(of: item.handle) else { return }
        guard valueHandle > item.handle, valueHandle <= services[index].endHandle else { throw .nonsense }
        let count = services[index].characteristics.count
        if count > 0 {
            // Handles rise from one declaration to the next, so this one is not 0.
            services[index].characteristics[count - 1].endHandle =
                AttributeHandle(rawValue: item.handle.rawValue - 1)
        }
        services[index].characteristics.append(
            GATT.Characteristic(
                uuid: uuid, handle: item.handle, valueHandle: valueHandle,
                endHandle: services[index].endHandle,
                properties: GATT.Properties(rawValue: item.value[0])))
    }

    private mutating func addDescriptor(
        _ pair: ATT.FindInformationResponse.Pair, _ gap: Gap
    ) throws(DiscoveryFault) {
        guard pair.handle <= gap.end else { throw .nonsense }
        try advance(past: pair.handle, from: pair.handle)
        services[gap.service].characteristics[gap.characteristic].descriptors.append(
            GATT.Descriptor(uuid: pair.type, handle: pair.handle))
    }

    private mutating func passEnded(_ code: ATT.ErrorCode) throws(DiscoveryFault) {
        switch (code, pass) {
        // Somebody else must find the services again; else an include that cannot be named is left out.
        case (.databaseOutOfSync, .includedService): throw .refused(code)
        case (_, .includedService):
            name(nil)
            nextPass()
        case (.attributeNotFound, _): nextPass()
        // Servers that have none may not know the types or requests at all, and say so in many ways.
        case (_, .services(primary: false)), (_, .includes): nextPass()
        case (.requestNotSupported, .descriptors), (.invalidHandle, .descriptors): nextPass()
        case (_, .services(primary: true)), (_, .characteristics), (_, .descriptors): throw .refused(code)
        }
    }

    private mutating func nextPass() {
        start = .first
        isPassOver = false
        switch pass {
        case .services(primary: true): pass = .services(primary: false)
        case .services(primary: false):
            services.sort { $0.handle < $1.handle }
            pass = services.isEmpty ? .descriptors(gap: 0) : .includes
        case .includes, .includedService: pass = unknown.isEmpty ? .characteristics : .includedService
        case .characteristics:
            findGaps()
            pass = .descriptors(gap: 0)
            startGap(0)
        case .descriptors(let gap):
            pass = .descriptors(gap: gap + 1)
            startGap(gap + 1)
        }
    }

    private mutating func startGap(_ index: Int) {
        guard index < gaps.count else { return }
        let gap = gaps[index]
        start = services[gap.service].characteristics[gap.characteristic].valueHandle.next ?? .last
    }

    private mutating func findGaps() {
        for (s, service) in services.enumerated() {
            for (c, characteristic) in service.characteristics.enumerated()
            where characteristic.endHandle > characteristic.valueHandle {
                gaps.append(Gap(service: s, characteristic: c, end: characteristic.endHandle))
            }
        }
    }

    private func service(of handle: AttributeHandle) -> Int? {
        services.lastIndex { $0.handle <= handle && handle <= $0.endHandle }
    }

    private func uuid(_ octets: [UInt8]) throws(DiscoveryFault) -> BluetoothUUID {
        var reader = ByteReader(octets.span.bytes)
        do throws(DecodeError) {
            return try BluetoothUUID(decodingAttributeType: &reader)
        } catch {
            throw .nonsense
        }
    }
}
