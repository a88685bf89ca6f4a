// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEWire

/// Why a request about a device's GATT server failed, where the radio's error alone would not say what to do.
public enum ExplorerError: Error, Hashable, Sendable {
    /// The device was not heard in time.
    case notHeard(DeviceAddress, seconds: Int)
    /// A device that was not heard before did not answer in time.
    case noAnswer(DeviceAddress, seconds: Int)
    /// The device is there, but accepts no connections.
    case notConnectable(DeviceAddress)
    /// The link that there was is gone.
    case noLink(DeviceAddress)
    /// It is not clear which attribute is meant.
    case attribute(AttributeTargetError)
    /// The device has said wrongly what it has, and what is meant is not among the rest; the first of its faults, in words.
    case incomplete(AttributeTargetError, String)
    /// The device has no such service, characteristic or value.
    case missing(Kind, BluetoothUUID)
    /// Only the value of a characteristic can be watched, and this is none.
    case notACharacteristic(AttributeHandle)
    /// The characteristic neither notifies nor indicates.
    case sendsNothing(BluetoothUUID)
    /// The characteristic accepts only writes without response; the device's refusal in words.
    case onlyWithoutAnswer(String)
    /// The value is too long for a write without response; the radio's error in words.
    case onlyWithAnswer(String)
    /// The services have changed since they were discovered.
    case servicesChanged
    /// The link ended, or the device fell silent, when little more than a larger MTU was asked for; what happened in a
    /// sentence.
    case mtuSuspected(String, isTimeout: Bool)
    /// A larger MTU was wanted than the one agreed when the link was opened; that one, in octets.
    case mtuAgreed(Int)
    /// There is no pairing, so the level of security stays low.
    case noPairing
    /// Fewer values were received in time than were waited for; the time in words.
    case tooFewValues(Int, of: Int, within: String)

    /// What may be missing.
    public enum Kind: Hashable, Sendable {
        /// A primary service.
        case primaryService
        /// A characteristic.
        case characteristic
        /// An attribute with a value.
        case value
    }

    /// What kind of failure it is.
    public enum Meaning: Hashable, Sendable {
        /// The device or the radio could not do it.
        case failed
        /// What was looked for is not there, or has not come.
        case nothingFound
        /// The device is not made for it.
        case wrongUsage
    }

    /// What kind of failure it is.
    public var meaning: Meaning {
        switch self {
        case .notHeard, .noAnswer, .missing, .tooFewValues, .attribute(.missing), .attribute(.uuidMeant),
            .incomplete, .mtuSuspected(_, isTimeout: true):
            .nothingFound
        case .notACharacteristic, .sendsNothing, .attribute(.several): .wrongUsage
        case .notConnectable, .noLink, .onlyWithoutAnswer, .onlyWithAnswer, .servicesChanged,
            .mtuSuspected, .mtuAgreed, .noPairing:
            .failed
        }
    }
}

/// What an explorer is doing, to be shown while it lasts.
public enum ExplorerStep: Hashable, Sendable {
    /// It scans for the device.
    case looking(DeviceAddress)
    /// It opens the link.
    case connecting(DeviceAddress)
    /// It discovers the services.
    case exploring(DeviceAddress)
    /// It listens to the device's advertisements.
    case listening(DeviceAddress)
    /// It scans for all devices, for a time that is given in words.
    case scanning(String)
}
