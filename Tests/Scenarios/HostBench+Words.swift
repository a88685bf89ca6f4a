// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLESMP
import BLEWire

// What came of procedures, in words.
extension HostBench {
    static func words(_ parameters: ConnectionParameters) -> String {
        "\(parameters.interval.rawValue) \(parameters.latency) \(parameters.supervisionTimeout.rawValue)"
    }

    static func words(_ answer: LinkProcedure.Answer) -> String {
        switch answer {
        case .rssi(let rssi): "rssi \(rssi.map { "\($0)" } ?? "none")"
        case .phy(let tx, let rx): "phy \(tx.rawValue) \(rx.rawValue)"
        case .parameters(let parameters): "parameters \(words(parameters))"
        case .remoteVersion(let version, let company, let subversion):
            "version \(version) \(company) \(subversion)"
        case .remoteFeatures(let features): "features \(features.rawValue)"
        case .channelMap(let channels): "channels \(channels.count)"
        case .transmitPower(let power): "power \(power)"
        }
    }

    static func words(_ failure: LinkProcedure.Failure) -> String {
        switch failure {
        case .refused(let status): "refused \(status.rawValue)"
        case .refusedByPeer: "refusedByPeer"
        case .invalid: "invalid"
        case .unsupported: "unsupported"
        case .badAnswer: "badAnswer"
        case .timeout: "timeout"
        case .disconnected: "disconnected"
        case .queueFull: "queueFull"
        }
    }
}

extension HostStack.SecurityEvent {
    /// What happened, without anything secret.
    var words: String {
        switch self {
        case .secured(let security): "secured \(security.words)"
        case .asked: "asked"
        case .shown: "shown"
        case .requested(let requirements): "requested \(requirements.rawValue)"
        case .paired(let security): "paired \(security.words)"
        case .bonded: "bonded"
        case .kept: "kept"
        case .failed(let failure): "failed \(failure)"
        }
    }
}

extension SMP.Security {
    fileprivate var words: String { "\(level) \(keySize)\(isBonded ? " bonded" : "")" }
}
