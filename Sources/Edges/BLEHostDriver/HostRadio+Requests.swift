// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import BluetoothLE

extension HostRadio {
    /// Runs an operation to its end.
    nonisolated func perform(
        _ operation: GATT.Operation, on connection: HostConnection
    ) async throws(BluetoothError) -> GATT.Answer {
        let arrived = try await wait { radio in
            guard let id = radio.stack.perform(operation, on: connection.link, at: radio.loop.now) else {
                return .over(.failure(connection.lost))
            }
            return .waiting(.operation(connection.link, id))
        }
        guard case .answer(let answer) = arrived else { throw .badResponse }
        return answer
    }

    /// Runs a procedure to its end.
    func perform(
        _ procedure: LinkProcedure, on connection: HostConnection
    ) async throws(BluetoothError) -> LinkProcedure.Answer {
        let arrived = try await wait { radio in
            guard let id = radio.stack.perform(procedure, on: connection.link, at: radio.loop.now) else {
                return .over(.failure(connection.lost))
            }
            return .waiting(.procedure(connection.link, id))
        }
        guard case .procedure(let result) = arrived else { throw .badResponse }
        switch result {
        case .success(let answer): return answer
        case .failure(let failure):
            throw BluetoothError(failure, of: procedure, at: stack.controller.features)
        }
    }

    func parameters(of link: LinkID) -> ConnectionParameters? { stack.parameters(of: link) }

    /// An operation is done; one that ends with its link is reported when the link is gone, with the reason.
    func completed(_ link: LinkID, _ id: GATT.OperationID, _ result: Result<GATT.Answer, GATTRequestError>) {
        switch result {
        case .success(let answer): waiters.resume(.operation(link, id), .success(.answer(answer)))
        case .failure(.disconnected): break
        case .failure(let failure): waiters.resume(.operation(link, id), .failure(BluetoothError(failure)))
        }
    }

    func completed(
        _ link: LinkID, _ id: LinkProcedure.ID, _ result: Result<LinkProcedure.Answer, LinkProcedure.Failure>
    ) {
        // The link's end says why.
        if case .failure(.disconnected) = result { return }
        waiters.resume(.procedure(link, id), .success(.procedure(result)))
    }
}

extension BluetoothError {
    /// Why a request failed, by what a caller can do.
    init(_ failure: GATTRequestError) {
        self =
            switch failure {
            case .refused(.databaseOutOfSync): .servicesChanged
            case .refused(let code): .refused(code)
            case .timeout: .timeout
            case .badResponse: .badResponse
            case .disconnected: .disconnected(.closedByPeer)
            case .unsupported: .notOffered("the device cannot do that")
            case .queueFull: .tooManyRequests
            case .tooLong: .invalidArgument("The request does not fit into what the device takes at once.")
            }
    }

    /// Why a procedure failed, by what a caller can do.
    ///
    /// - Parameters:
    ///   - failure: What the stack says.
    ///   - procedure: What was asked for.
    ///   - features: What our own controller can do.
    init(_ failure: LinkProcedure.Failure, of procedure: LinkProcedure, at features: HCI.LEFeatures) {
        self =
            switch failure {
            case .refused(.unsupportedRemoteFeature), .refused(.unknownLMPPDU):
                .notOffered("the device's controller cannot do that")
            case .refused(.unknownCommand), .unsupported: .unsupported(procedure.capability)
            case .refused(.unsupportedFeatureOrParameterValue):
                procedure.missingPHY(in: features).map(Self.unsupported)
                    ?? .refusedByRadio("its controller cannot do what was asked for")
            case .refused(let status): .refusedByRadio("\(status)")
            case .refusedByPeer: .refusedByPeer
            case .invalid: .invalidArgument("No link can do this.")
            case .badAnswer: .badResponse
            case .timeout: .timeout
            case .disconnected: .disconnected(.closedByPeer)
            case .queueFull: .tooManyRequests
            }
    }
}

extension LinkProcedure {
    /// What a radio lacks whose controller does not know the procedure.
    fileprivate var capability: RadioCapability {
        switch self {
        case .readRSSI, .readTransmitPower: .readRSSI
        case .readPHY, .setPHY: .phy
        case .updateParameters, .readChannelMap: .connectionParameters
        case .readRemoteVersion, .readRemoteFeatures: .peerVersion
        }
    }

    /// What was asked for that our own controller lacks.
    fileprivate func missingPHY(in features: HCI.LEFeatures) -> RadioCapability? {
        guard case .setPHY(let tx, let rx, _) = self else { return nil }
        let phys = (tx ?? []).union(rx ?? [])
        if phys.contains(.leCoded), !features.contains(.phyCoded) { return .codedPHY }
        if phys.contains(.le2M), !features.contains(.phy2M) { return .twoMegabitPHY }
        return nil
    }
}

extension PHY {
    /// The PHY of an HCI code; codes that are not known are taken for LE 1M.
    init(_ phy: HCI.PHY) {
        switch phy {
        case .le2M: self = .le2M
        case .leCoded: self = .leCoded
        default: self = .le1M
        }
    }
}

extension HCI.PHYs {
    /// The bits of a set; `nil` when nothing is wanted.
    init?(_ phys: Set<PHY>) {
        guard !phys.isEmpty else { return nil }
        self = []
        if phys.contains(.le1M) { insert(.le1M) }
        if phys.contains(.le2M) { insert(.le2M) }
        if phys.contains(.leCoded) { insert(.leCoded) }
    }
}
