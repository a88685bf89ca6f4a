// SPDX-License-Identifier: Apache-2.0

import BLEFoundation
import BLEWire
public import CompanionDevices
public import Foundation
import LEDBulb
public import LEDBulbDevices
import NightlightCompanion
public import NightlightDevices

// What connections to devices throw.

extension ConnectionError: LocalizedError {
    /// Why the connection ended, and what to do.
    public var errorDescription: String? {
        switch self {
        case .notFound:
            "The device was not found: is it near, switched on and not connected to something else?"
        case .wrongDevice(let missing, _):
            "This is another kind of device: it lacks \(missing.map(\.description).joined(separator: ", "))."
        case .failed(let reason): "\(reason)".asSentence
        case .linkLost: "The link to the device has ended: try again."
        case .timeLimit(let limit):
            "It was not done within \(limit.formatted(.units(allowed: [.minutes, .seconds], width: .wide)))."
        }
    }
}

extension LampError: LocalizedError {
    /// Why the lamp did not do what was asked for.
    public var errorDescription: String? { NightlightText.sentence(self) }
}

extension BulbError: LocalizedError {
    /// Why the bulb did not do what was asked for.
    public var errorDescription: String? {
        switch self {
        case .misfit(.notABulb): "This is not a bulb that can be spoken to; nothing was written."
        case .misfit(.ambiguous(let dialects)):
            "This may be a bulb of several kinds: choose \(dialects.map(\.name.string).joined(separator: " or "))."
        case .misfit(.lacks(let dialect, _)): "This bulb does not speak \(dialect.name.string)."
        case .refused(.notInDialect(let dialect)): "\(dialect.name.string) bulbs cannot do this."
        case .refused(.writeFailed(let failure)): "The bulb did not accept it: \(failure)."
        case .refused(.disconnected): "The link to the bulb has ended before it was done: try again."
        case .noState(.notInDialect(let dialect)): "\(dialect.name.string) bulbs do not report their state."
        case .noState(.noNotifications(let dialect)):
            "\(dialect.name.string) bulbs report their state, but this one has nothing to report it with."
        case .noState(.noAnswer): "The bulb did not say how it is: go nearer and try again."
        case .noState(.notUnderstood): "What the bulb says of its state is not understood."
        case .noState(.failed(let failure)): "The bulb could not be asked for its state: \(failure)."
        }
    }
}
