// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
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
