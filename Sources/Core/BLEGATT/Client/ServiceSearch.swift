// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Finds a server's services, or makes sure that those known from before still hold, and asks to be told of
/// changes.
///
/// ```
///                       the known hash                         answered in any way
///   readingHash ──────────────────────────────▶ writingFeatures ──────────────────▶ subscribing ──▶ end
///        │ another, or none                            ▲                                │
///        └──────────────▶ discovering ─────────────────┘                                │
///        ▲                                                                              │
///        └──────────────────────────────── out of sync ─────────────────────────────────┘
/// ```
///
/// The hash is read before the services: should they change meanwhile, a hash of before goes with services of
/// after, and the next comparison fails. What a server lacks or refuses of the last two steps is left out.
/// Robust caching is asked for first, so that a change before the last step shows there.
///
/// Spec: Core v5.4, Vol 3, Part G, 2.5.2 and 7.
struct ServiceSearch {
    enum Phase {
        case readingHash
        case discovering(Discovery)
        case writingFeatures(AttributeHandle)
        case subscribing(AttributeHandle)
    }

    /// How often services may change during a search.
    static let roundLimit = 3
    /// What this side can do.
    static let features: GATT.ClientFeatures = [.robustCaching, .multipleNotifications]

    private let known: GATT.KnownServices?
    private var phase = Phase.readingHash
    private var found = GATT.FoundServices(services: [])
    private var rounds = 1

    /// The procedure with its first request.
    static func start(_ known: GATT.KnownServices?) -> (Procedure, [UInt8]) {
        let search = ServiceSearch(known: known)
        return (.search(search), search.hashRequest)
    }

    private init(known: GATT.KnownServices?) { self.known = known }

    /// The procedure from its beginning, with its first request; `nil` when that has been tried often enough.
    var again: (Procedure, [UInt8])? {
        guard rounds < Self.roundLimit else { return nil }
        var next = ServiceSearch(known: known)
        next.rounds = rounds + 1
        return (.search(next), next.hashRequest)
    }

    func receive(_ pdu: ATT.PDU) -> Procedure.Step {
        switch (phase, pdu) {
        case (.readingHash, .readByTypeResponse(let response)):
            guard let hash = response.items.first?.value, hash.count == 16 else { return discover(nil) }
            guard let known, known.hash == hash else { return discover(hash) }
            var next = self
            next.found = GATT.FoundServices(services: known.services, hash: hash, wereKnown: true)
            return next.writeFeatures()
        case (.readingHash, .errorResponse(let error)) where error.request == .readByTypeRequest:
            return discover(nil)
        case (.discovering(var discovery), _): return step(discovery.receive(pdu), discovery)
        case (.writingFeatures, .writeResponse): return subscribe()
        case (.subscribing, .writeResponse): return .finish(.success(.found(found)))
        case (.writingFeatures, .errorResponse(let error)) where error.request == .writeRequest:
            return error.code == .databaseOutOfSync ? outOfSync : subscribe()
        case (.subscribing, .errorResponse(let error)) where error.request == .writeRequest:
            return error.code == .databaseOutOfSync ? outOfSync : .finish(.success(.found(found)))
        default: return .unrelated
        }
    }

    /// Goes on after an answer that makes no sense.
    var afterNonsense: Procedure.Step {
        switch phase {
        case .readingHash: discover(nil)
        case .discovering(var discovery): step(discovery.skip(), discovery)
        case .writingFeatures: subscribe()
        case .subscribing: .finish(.success(.found(found)))
        }
    }

    /// What has been found when nothing more will come; `nil` when that is nothing.
    func found(endedBy failure: GATTRequestError) -> GATT.FoundServices? {
        var found = found
        switch phase {
        case .readingHash: return nil
        case .discovering(var discovery):
            guard discovery.cutShort(by: failure) else { return nil }
            found.services = discovery.services
            found.faults = discovery.faults
        case .writingFeatures(let handle), .subscribing(let handle):
            found.faults.append(GATT.DiscoveryViolation(.changes, at: handle, .ended(failure)))
        }
        return found
    }

    private func step(_ outcome: Discovery.Outcome, _ discovery: Discovery) -> Procedure.Step {
        var next = self
        switch outcome {
        case .proceed:
            next.phase = .discovering(discovery)
            return .proceed(.search(next), discovery.request)
        case .done:
            next.found.services = discovery.services
            next.found.faults = discovery.faults
            return next.writeFeatures()
        case .failed(.refused(.databaseOutOfSync)): return outOfSync
        case .failed(let failure): return .finish(.failure(failure))
        case .unrelated: return .unrelated
        }
    }

    private var hashRequest: [UInt8] {
        ATT.ReadByTypeRequest(start: .first, end: .last, type: GATT.CharacteristicType.databaseHash).octets
    }

    private var outOfSync: Procedure.Step {
        guard let (procedure, request) = again else {
            return .finish(.failure(.refused(.databaseOutOfSync)))
        }
        return .proceed(procedure, request)
    }

    private func discover(_ hash: [UInt8]?) -> Procedure.Step {
        var next = self
        let discovery = Discovery()
        next.found = GATT.FoundServices(services: [], hash: hash)
        next.phase = .discovering(discovery)
        return .proceed(.search(next), discovery.request)
    }

    private func writeFeatures() -> Procedure.Step {
        let features = found.services.characteristic(GATT.CharacteristicType.clientSupportedFeatures)
        guard let features, features.properties.contains(.write) else { return subscribe() }
        var next = self
        next.phase = .writingFeatures(features.valueHandle)
        let request = ATT.WriteRequest(handle: features.valueHandle, value: [Self.features.rawValue])
        return .proceed(.search(next), request.octets)
    }

    private func subscribe() -> Procedure.Step {
        guard let handle = found.services.serviceChanged?.clientConfigurationHandle else {
            return .finish(.success(.found(found)))
        }
        var next = self
        next.phase = .subscribing(handle)
        return .proceed(.search(next), ATT.WriteRequest(handle: handle, value: [2, 0]).octets)
    }
}

extension [GATT.Service] {
    /// The characteristic that tells of changes, if there is one.
    var serviceChanged: GATT.Characteristic? {
        let changed = characteristic(GATT.CharacteristicType.serviceChanged)
        return changed?.properties.contains(.indicate) == true ? changed : nil
    }
}
