// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
public import BLEWire
import BluetoothLE

extension HostRadio {
    struct ProcedureKey: Hashable {
        let link: LinkID
        let id: LinkProcedure.ID
    }

    /// The address that this side uses; `nil` when the radio is off.
    public var ownAddress: BluetoothAddress? { stack.isReady ? stack.controller.ownAddress : nil }

    func parameters(of link: LinkID) -> ConnectionParameters? { stack.parameters(of: link) }

    /// Runs a procedure to its end.
    func perform(_ procedure: LinkProcedure, on link: LinkID) async throws(BluetoothError)
        -> LinkProcedure.Answer
    {
        guard !Task.isCancelled else { throw .cancelled }
        let result: Result<LinkProcedure.Answer, LinkProcedure.Failure> = await withCheckedContinuation {
            waiter in
            guard let id = stack.perform(procedure, on: link, at: clock.now) else {
                waiter.resume(returning: .failure(.disconnected))
                return
            }
            procedures[ProcedureKey(link: link, id: id)] = waiter
            drain()
            openGate()
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let failure): throw BluetoothError(failure)
        }
    }

    /// Changes a link's timing.
    func updateParameters(
        _ range: ConnectionParameterRange, on link: LinkID
    ) async throws(BluetoothError) -> ConnectionParameters {
        guard range.isValid else {
            throw .invalidArgument("No link can have this timing: see ConnectionParameterRange.isValid.")
        }
        guard case .parameters(let parameters) = try await perform(.updateParameters(range), on: link)
        else { throw .request(.badResponse) }
        return parameters
    }

    /// Passes on what has changed about a link to a peripheral.
    func changed(_ link: LinkID, _ change: LinkChange) { connections[link]?.tell(change) }
}

extension BluetoothError {
    /// Why a procedure failed, by what a caller can do.
    init(_ failure: LinkProcedure.Failure) {
        self =
            switch failure {
            case .refused(.unknownCommand), .refused(.unsupportedRemoteFeature), .refused(.unknownLMPPDU),
                .refused(.unsupportedFeatureOrParameterValue), .unsupported:
                .unsupported("the radio or the device lacks this")
            case .refused(let status): .refusedByRadio("status \(status.words)")
            case .refusedByPeer: .refusedByPeer
            case .invalid: .invalidArgument("No link can do this.")
            case .badAnswer: .request(.badResponse)
            case .timeout: .request(.timeout)
            case .disconnected: .request(.disconnected)
            case .queueFull: .request(.queueFull)
            }
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
