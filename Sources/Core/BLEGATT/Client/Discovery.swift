// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Finds everything a server has, over the whole handle range, in five passes.
///
/// Passes that span services need fewer requests than one for each service. Each pass goes on after the
/// last handle it was told of, and ends when an answer brings it no further. An include of a service
/// with a long UUID does not name it: when the service was not among those found, its declaration is read.
///
/// What a server says wrongly is noted and left out; what is right is kept.
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
        /// Looks for what switches values on, where a server does not list descriptors.
        case configuration(gap: Int)
    }

    /// What a response leads to.
    enum Outcome {
        /// Send ``request``.
        case proceed
        /// Everything has been looked for.
        case done
        /// There is nothing to keep.
        case failed(GATTRequestError)
        /// The response belongs to another request.
        case unrelated
    }

    /// An include whose service is not known, and in which service it stands.
    struct Unknown {
        let service: Int
        let handle: AttributeHandle
        let start: AttributeHandle
        let end: AttributeHandle
    }

    /// Handles that belong to a characteristic beside its declaration and its value.
    struct Gap {
        let service: Int
        let characteristic: Int
        let start: AttributeHandle
        let end: AttributeHandle
    }

    /// Faults that are kept; a server may be wrong at every handle.
    static let faultLimit = 32

    var pass = Pass.services(primary: true)
    var start = AttributeHandle.first
    var services: [GATT.Service] = []
    var faults: [GATT.DiscoveryViolation] = []
    var unknown: [Unknown] = []
    var gaps: [Gap] = []
    /// What the response in hand has named so far.
    private var named: [AttributeHandle] = []
    /// After which handle to go on, once the response in hand has been taken in: the end of the last it has named.
    private var reached: AttributeHandle?

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
        case .includedService: ATT.ReadRequest(handle: asked).octets
        case .characteristics:
            ATT.ReadByTypeRequest(start: start, end: .last, type: GATT.AttributeType.characteristic).octets
        case .descriptors:
            ATT.FindInformationRequest(start: start, end: end).octets
        case .configuration:
            ATT.ReadByTypeRequest(start: start, end: end, type: GATT.AttributeType.clientConfiguration).octets
        }
    }

    /// The first handle that the next request asks for.
    private var asked: AttributeHandle {
        if case .includedService = pass { unknown.first?.start ?? 0 } else { start }
    }

    /// The last handle that the pass asks for.
    private var end: AttributeHandle {
        switch pass {
        case .descriptors(let gap), .configuration(let gap): gaps[gap].end
        default: .last
        }
    }

    mutating func receive(_ pdu: ATT.PDU) -> Outcome {
        named = []
        reached = nil
        switch (pass, pdu) {
        case (.services(let primary), .readByGroupTypeResponse(let response)):
            for item in response.items { addService(item, primary: primary) }
        case (.includes, .readByTypeResponse(let response)):
            for item in response.items { addInclude(item) }
        case (.includedService, .readResponse(let response)):
            name(uuid(response.value, at: asked))
            return nextPass()
        case (.characteristics, .readByTypeResponse(let response)):
            for item in response.items { addCharacteristic(item) }
        case (.descriptors(let gap), .findInformationResponse(let response)):
            for pair in response.pairs { addDescriptor(pair.type, pair.handle, gaps[gap]) }
        case (.configuration(let gap), .readByTypeResponse(let response)):
            for item in response.items {
                addDescriptor(GATT.AttributeType.clientConfiguration, item.handle, gaps[gap])
            }
            return nextPass()
        case (_, .errorResponse(let error)) where error.request.rawValue == request.first:
            return passEnded(error.code)
        default: return .unrelated
        }
        // An answer that brings the pass no further would come again and again.
        guard let reached else { return goOn() }
        guard let next = reached.next, next <= end else { return nextPass() }
        start = next
        return .proceed
    }

    /// Goes on after an answer that makes no sense.
    mutating func skip() -> Outcome {
        note(asked, .ended(.badResponse))
        if case .includedService = pass { name(nil) }
        return goOn()
    }

    /// Goes on behind what a server does not list: with the characteristics of the next service, else with the next pass.
    private mutating func goOn() -> Outcome {
        guard case .characteristics = pass, let next = services.first(where: { $0.handle > start }) else {
            return nextPass()
        }
        start = next.handle
        return .proceed
    }

    /// Makes what has been found until now as good as can be, when nothing more will come.
    ///
    /// - Parameter failure: Why nothing more comes.
    /// - Returns: Whether there is anything.
    mutating func cutShort(by failure: GATTRequestError) -> Bool {
        note(asked, .ended(failure))
        switch pass {
        case .services: settleServices()
        case .characteristics: settleCharacteristics()
        case .includes, .includedService, .descriptors, .configuration: break
        }
        return !services.isEmpty
    }

    private mutating func note(
        _ handle: AttributeHandle, _ reason: GATT.DiscoveryViolation.Reason,
        of part: GATT.DiscoveryViolation.Part? = nil
    ) {
        guard faults.count < Self.faultLimit else { return }
        let listed: GATT.DiscoveryViolation.Part =
            switch pass {
            case .services(let primary): primary ? .services : .secondaryServices
            case .includes, .includedService: .includes
            case .characteristics: .characteristics
            case .descriptors, .configuration: .descriptors
            }
        faults.append(GATT.DiscoveryViolation(part ?? listed, at: handle, reason))
    }

    /// Takes an attribute that a response names.
    ///
    /// - Parameters:
    ///   - handle: Its handle.
    ///   - last: The last handle of it.
    /// - Returns: Whether it was asked for.
    private mutating func take(_ handle: AttributeHandle, to last: AttributeHandle) -> Bool {
        guard handle >= start, handle <= end, !named.contains(handle) else {
            note(handle, .outOfRange)
            return false
        }
        if named.allSatisfy({ $0 < handle }) { reached = last }
        named.append(handle)
        return true
    }

    private mutating func addService(_ item: ATT.ReadByGroupTypeResponse.Item, primary: Bool) {
        var end = item.end
        if end < item.start {
            note(item.start, .badEnd(end))
            end = .last
        }
        guard take(item.start, to: end == item.end ? end : item.start),
            let uuid = uuid(item.value, at: item.start)
        else { return }
        services.append(GATT.Service(uuid: uuid, handle: item.start, endHandle: end, isPrimary: primary))
    }

    /// Puts the services in order; each ends before the next one begins.
    private mutating func settleServices() {
        services.order { $0.handle < $1.handle }
        var index = 1
        while index < services.count {
            let (before, next) = (services[index - 1], services[index])
            if before.handle == next.handle {
                note(next.handle, .outOfRange, of: .services)
                services.remove(at: index)
                continue
            }
            if before.endHandle >= next.handle {
                if !isEndNoted(before.handle) {
                    note(before.handle, .badEnd(before.endHandle), of: .services)
                }
                // Handles rise, so this one is not 0.
                services[index - 1].endHandle = AttributeHandle(rawValue: next.handle.rawValue - 1)
            }
            index += 1
        }
    }

    /// Whether it was noted that the service at a handle ends where it cannot.
    private func isEndNoted(_ handle: AttributeHandle) -> Bool {
        faults.contains { fault in
            guard case .badEnd = fault.reason else { return false }
            return fault.handle == handle
        }
    }

    private mutating func addInclude(_ item: ATT.ReadByTypeResponse.Item) {
        guard take(item.handle, to: item.handle) else { return }
        guard item.value.count == 6 || item.value.count == 4 else {
            note(item.handle, .badDeclaration)
            return
        }
        let first = AttributeHandle(rawValue: UInt16(item.value[0]) | UInt16(item.value[1]) << 8)
        let last = AttributeHandle(rawValue: UInt16(item.value[2]) | UInt16(item.value[3]) << 8)
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

    private mutating func addCharacteristic(_ item: ATT.ReadByTypeResponse.Item) {
        guard take(item.handle, to: item.handle) else { return }
        guard item.value.count == 5 || item.value.count == 19 else {
            note(item.handle, .badDeclaration)
            return
        }
        let valueHandle = AttributeHandle(rawValue: UInt16(item.value[1]) | UInt16(item.value[2]) << 8)
        guard let uuid = uuid(Array(item.value[3...]), at: item.handle) else { return }
        // What a server hides the service of, as some do secondary ones, is in no tree.
        guard let index = service(of: item.handle) else {
            if faults.contains(where: { $0.part == .services || $0.part == .secondaryServices }) {
                note(item.handle, .noService)
            }
            return
        }
        services[index].characteristics.append(
            GATT.Characteristic(
                uuid: uuid, handle: item.handle, valueHandle: valueHandle,
                endHandle: services[index].endHandle,
                properties: GATT.Properties(rawValue: item.value[0])))
    }

    /// Puts the characteristics in order, each up to the next one, and finds where descriptors may be.
    private mutating func settleCharacteristics() {
        for s in services.indices {
            services[s].characteristics.order { $0.handle < $1.handle }
            for c in services[s].characteristics.indices.dropLast() {
                // Handles rise from one declaration to the next, so this one is not 0.
                services[s].characteristics[c].endHandle = AttributeHandle(
                    rawValue: services[s].characteristics[c + 1].handle.rawValue - 1)
            }
            for (c, characteristic) in services[s].characteristics.enumerated() {
                if !characteristic.hasValueWithin {
                    note(characteristic.handle, .badValueHandle(characteristic.valueHandle))
                }
                let before =
                    characteristic.hasValueWithin ? characteristic.valueHandle : characteristic.handle
                guard let start = before.next, start <= characteristic.endHandle else { continue }
                gaps.append(Gap(service: s, characteristic: c, start: start, end: characteristic.endHandle))
            }
        }
    }

    private mutating func addDescriptor(_ uuid: BluetoothUUID, _ handle: AttributeHandle, _ gap: Gap) {
        guard take(handle, to: handle) else { return }
        services[gap.service].characteristics[gap.characteristic].descriptors.append(
            GATT.Descriptor(uuid: uuid, handle: handle))
    }

    private mutating func passEnded(_ code: ATT.ErrorCode) -> Outcome {
        switch (code, pass) {
        // Somebody else must find the services again; else an include that cannot be named is left out.
        case (.databaseOutOfSync, _): return .failed(.refused(code))
        case (_, .includedService): name(nil)
        case (.attributeNotFound, _): break
        // Servers that have none may not know the type or the request at all.
        case (.unsupportedGroupType, .services(primary: false)),
            (.requestNotSupported, .services(primary: false)), (.requestNotSupported, .includes),
            (_, .configuration):
            break
        case (_, .services(primary: false)), (_, .includes): note(start, .ended(.refused(code)))
        case (.requestNotSupported, .descriptors(let gap)), (.invalidHandle, .descriptors(let gap)):
            return findConfiguration(gap)
        case (_, .descriptors(let gap)):
            note(start, .ended(.refused(code)))
            return findConfiguration(gap)
        case (_, .services(primary: true)), (_, .characteristics):
            note(start, .ended(.refused(code)))
            return goOn()
        }
        return nextPass()
    }

    /// Looks for the descriptor that matters most, after a server has refused to list them.
    private mutating func findConfiguration(_ gap: Int) -> Outcome {
        let characteristic = services[gaps[gap].service].characteristics[gaps[gap].characteristic]
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]),
            characteristic.clientConfigurationHandle == nil
        else { return startGap(gap + 1) }
        pass = .configuration(gap: gap)
        return .proceed
    }

    private mutating func nextPass() -> Outcome {
        start = .first
        switch pass {
        case .services(primary: true):
            // Wrong answers alone are no empty server.
            if services.isEmpty, let fault = faults.first {
                if case .ended(let failure) = fault.reason { return .failed(failure) }
                return .failed(.badResponse)
            }
            pass = .services(primary: false)
        case .services(primary: false):
            settleServices()
            if services.isEmpty { return .done }
            pass = .includes
        case .includes, .includedService: pass = unknown.isEmpty ? .characteristics : .includedService
        case .characteristics:
            settleCharacteristics()
            return startGap(0)
        case .descriptors(let gap), .configuration(let gap): return startGap(gap + 1)
        }
        return .proceed
    }

    private mutating func startGap(_ index: Int) -> Outcome {
        guard index < gaps.count else { return .done }
        pass = .descriptors(gap: index)
        start = gaps[index].start
        return .proceed
    }

    private func service(of handle: AttributeHandle) -> Int? {
        services.lastIndex { $0.handle <= handle && handle <= $0.endHandle }
    }

    private mutating func uuid(_ octets: [UInt8], at handle: AttributeHandle) -> BluetoothUUID? {
        var reader = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            return try BluetoothUUID(decodingAttributeType: &reader)
        } catch {
            note(handle, .badDeclaration)
            return nil
        }
    }
}
