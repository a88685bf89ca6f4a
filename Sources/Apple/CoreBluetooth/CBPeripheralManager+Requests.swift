// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
import Foundation
import VirtualPhone

// Answers to requests, and values by themselves.
extension CBPeripheralManager {
    func answer(_ request: CBATTRequest, _ result: CBATTError.Code) {
        guard let place = request.answerPlace else {
            return misused("only the first of the requests that were received together is answered")
        }
        guard place.take() else { return misused("\(request) was answered before") }
        guard result == .success else {
            place.request?.answer(.failure(ATT.ErrorCode(rawValue: UInt8(clamping: result.rawValue))))
            return
        }
        place.request?.answer(.success(Array(request.value ?? Data())))
    }

    func send(_ value: Data, of characteristic: CBMutableCharacteristic, to centrals: [CBCentral]?) -> Bool {
        guard isReady(), let publication else { return false }
        switch publication.send(value, of: characteristic, to: centrals) {
        case .sent: return true
        case .full: return false
        case .notPublished:
            misused("\(characteristic) is not published")
            return false
        }
    }

    func askFor(_ latency: CBPeripheralManagerConnectionLatency, of central: CBCentral) {
        guard isReady(), let publication, let client = publication.client(central) else { return }
        // In units of 1.25 ms.
        let (shortest, longest): (UInt16, UInt16) =
            switch latency {
            case .low: (12, 24)
            case .medium: (48, 96)
            case .high: (200, 400)
            }
        publication.server.updateParameters(
            ConnectionParameterRange(
                intervalMin: ConnectionInterval(rawValue: shortest),
                intervalMax: ConnectionInterval(rawValue: longest),
                supervisionTimeout: SupervisionTimeout(rawValue: 600)),
            of: client)
    }
}
