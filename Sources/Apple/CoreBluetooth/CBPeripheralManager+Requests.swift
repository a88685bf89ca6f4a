// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
public import Foundation
import VirtualPhone

// Answers to requests, and values by themselves.
extension CBPeripheralManager {
    /// Answers a read or a write.
    ///
    /// An app is asked for each request of the device: for a value that is longer than one answer carries once for each part, with the
    /// part's ``CBATTRequest/offset``, and gives the value from there on; what does not fit is cut off. A value that a device writes in
    /// parts comes whole. Apple's documentation says of the offset that a read or write of the value begins there, not how many
    /// requests a long value makes.
    ///
    /// - Parameters:
    ///   - request: The read, or the first of the requests that were written together, which answers for all of them.
    ///   - result: ``CBATTError/Code/success``, or why not.
    public func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
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

    /// Sends a value to those who have subscribed.
    ///
    /// - Parameters:
    ///   - value: The value; what is longer than ``CBCentral/maximumUpdateValueLength`` is cut off.
    ///   - characteristic: Of what.
    ///   - centrals: To whom; `nil` to all.
    /// - Returns: Whether there was room; if not, ``CBPeripheralManagerDelegate/peripheralManagerIsReady(toUpdateSubscribers:)``
    ///   says when there is.
    public func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard isReady(), let publication else { return false }
        switch publication.send(value, of: characteristic, to: centrals) {
        case .sent: return true
        case .full: return false
        case .notPublished:
            misused("\(characteristic) is not published")
            return false
        }
    }

    /// Asks a device for a link that is as quick, or takes as little energy, as is wanted; it may refuse.
    ///
    /// Apple does not say what each of the three asks for. Here `low` is an interval of 15 to 30 ms, `medium` of 60 to 120 ms, `high`
    /// of 250 to 500 ms; no event is left out, and the link is lost after 6 s of silence.
    ///
    /// - Parameters:
    ///   - latency: What is wanted.
    ///   - central: Whose link.
    public func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {
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
