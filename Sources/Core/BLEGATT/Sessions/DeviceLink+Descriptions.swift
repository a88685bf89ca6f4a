// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEATT
import BLEWire

extension DeviceLink.State: CustomStringConvertible {
    /// The word for files and scripts.
    public var description: String { keyword.description }
}

extension DeviceLink.Reason: CustomStringConvertible {
    /// One phrase that says why.
    public var description: String {
        switch self {
        case .connectFailed(let failure): "no link could be opened: \(failure)"
        case .lost(let failure): "the link was lost: \(failure)"
        case .discoveryFailed(let failure): "the device did not say what it has: \(failure)"
        case .setUpFailed(let failure): "the device could not be set up: \(failure)"
        case .wrongDevice(let missing):
            "the device lacks " + missing.map { $0.description }.joined(separator: ", ")
        case .closed: "closed"
        }
    }
}

extension LinkError: CustomStringConvertible {
    /// One phrase that says why.
    public var description: String {
        switch self {
        case .closedByUs: "closed by this side"
        case .closedByPeer: "closed by the other side"
        case .closedByPeerBecause(let status):
            "closed by the other side with status 0x\([status].hexadecimal)"
        case .supervisionTimeout: "the other side fell silent"
        case .connectTimeout: "nobody answered in time"
        case .protocolFailure: "the other side broke the protocol or stopped answering"
        case .consumerTooSlow: "this side did not take out what the other side sent"
        case .flowControlIgnored: "the radio's controller sent more than it may, and than this side took out"
        case .radioLost: "the radio is gone"
        // Spec: Core v5.4, Vol 1, Part F, 1.3: memory capacity exceeded, connection limit exceeded.
        case .controller(0x07), .controller(0x09): "the radio has no room for another connection"
        case .controller(let status): "the controller gave status 0x\([status].hexadecimal)"
        }
    }
}

extension GATTRequestError: CustomStringConvertible {
    /// One phrase that says why.
    public var description: String {
        switch self {
        case .refused(let code): "refused with ATT error \(code.rawValue)"
        case .timeout: "no answer within 30 seconds"
        case .badResponse: "the answer made no sense"
        case .disconnected: "the link is gone"
        case .unsupported: "the device cannot do this"
        case .tooLong: "the request is too long"
        case .queueFull: "too many requests wait"
        }
    }
}

#endif
