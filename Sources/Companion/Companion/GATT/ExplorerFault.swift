// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLEWire

/// Why something that a person wanted to know of a device, or to do to it, came to nothing.
package enum ExplorerFault: Error, Hashable, Sendable {
    /// The device was not heard in time.
    case notHeard(DeviceAddress, seconds: Int)
    /// A device that was not heard before did not answer in time.
    case noAnswer(DeviceAddress, seconds: Int)
    /// The device is there, but accepts no connections.
    case notConnectable(DeviceAddress)
    /// The link that there was is gone.
    case noLink(DeviceAddress)
    /// It is not clear which attribute is meant.
    case attribute(AttributeFault)
    /// The device has no such service, characteristic or value.
    case missing(Kind, BluetoothUUID)
    /// Only the value of a characteristic can be watched, and this is none.
    case notACharacteristic(AttributeHandle)
    /// The characteristic sends nothing by itself.
    case sendsNothing(BluetoothUUID)
    /// Nothing switches on what the characteristic could send.
    case noSwitch(BluetoothUUID)
    /// The characteristic is written without an answer only; what the device said.
    case onlyWithoutAnswer(String)
    /// What is written without an answer is too long; what the radio said.
    case onlyWithAnswer(String)
    /// The device has other services than when it was asked.
    case servicesChanged
    /// The MTU is agreed once, when the link is opened.
    case mtuAgreed(Int)
    /// There is no pairing, so the level of security stays low.
    case noPairing
    /// Too few values came in time; the time in words.
    case tooFewValues(Int, of: Int, within: String)

    /// What may be missing.
    package enum Kind: Hashable, Sendable {
        case primaryService
        case characteristic
        case value
    }

    /// What it means to whoever asked.
    package enum Meaning: Hashable, Sendable {
        /// It has failed.
        case failed
        /// What was looked for is not there, or has not come.
        case nothingFound
        /// It cannot have been meant.
        case wrongUsage
    }

    /// What it means to whoever asked.
    package var meaning: Meaning {
        switch self {
        case .notHeard, .noAnswer, .missing, .tooFewValues, .attribute(.missing): .nothingFound
        case .notACharacteristic, .sendsNothing, .attribute(.several): .wrongUsage
        case .notConnectable, .noLink, .noSwitch, .onlyWithoutAnswer, .onlyWithAnswer, .servicesChanged,
            .mtuAgreed, .noPairing:
            .failed
        }
    }
}

/// What an explorer is busy with.
package enum ExplorerStep: Hashable, Sendable {
    /// It listens until it hears the device.
    case looking(DeviceAddress)
    /// It opens the link.
    case connecting(DeviceAddress)
    /// It asks what the device has.
    case exploring(DeviceAddress)
    /// It listens to what the device advertises.
    case listening(DeviceAddress)
    /// It listens to whoever is there, for so long, in words.
    case scanning(String)
}
