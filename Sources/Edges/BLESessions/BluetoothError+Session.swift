// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE

extension BluetoothError {
    /// The error as a session sees it when a link could not be opened.
    var linkFailure: LinkError {
        switch self {
        case .connectFailed(let failure), .disconnected(let failure): failure
        // Spec: Core v5.4, Vol 1, Part F, 1.3: connection already exists.
        case .alreadyConnected: .controller(status: 0x0B)
        case .cancelled: .closedByUs
        default: .radioLost
        }
    }

    /// The error as a session sees it when a request failed.
    var requestFailure: GATTRequestError {
        switch self {
        case .refused(let code): .refused(code)
        case .servicesChanged: .refused(.databaseOutOfSync)
        // The device wants what could not be had.
        case .pairing, .bonds: .refused(.insufficientAuthentication)
        case .timeout: .timeout
        case .badResponse: .badResponse
        case .tooManyRequests: .queueFull
        case .tooLong: .tooLong
        case .notOffered, .notFound, .unsupported, .invalidArgument, .alreadyConnected: .unsupported
        case .radioUnavailable, .unauthorized, .refusedByRadio, .connectFailed, .disconnected, .refusedByPeer,
            .channel, .cancelled:
            .disconnected
        }
    }

    /// Whether it says that a link cannot be protected, rather than that it is gone.
    var isAboutProtection: Bool {
        switch self {
        case .pairing(.disconnected): false
        case .pairing, .bonds, .unsupported: true
        default: false
        }
    }
}
