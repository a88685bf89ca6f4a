// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

extension BluetoothUUID {
    /// Takes the 2, 4 or 16 octets of Core Bluetooth's.
    init(_ uuid: CBUUID) { self = BluetoothUUID(writtenOctets: Array(uuid.data)) ?? BluetoothUUID(0) }

    /// Takes the 16 octets of Foundation's.
    init(_ uuid: UUID) { self.init(CBUUID(nsuuid: uuid)) }

    /// The same as Core Bluetooth has it, in its shortest form.
    var core: CBUUID {
        let octets = writtenOctets
        return CBUUID(data: Data(short != nil ? octets[2..<4] : short32 != nil ? octets[..<4] : octets[...]))
    }

    /// The same as Foundation has it.
    var foundation: UUID { NSUUID(uuidBytes: writtenOctets) as UUID }
}

extension Peer {
    /// A device by what this phone or computer calls it: another one calls it otherwise.
    init(_ peer: CBPeer) { self.init(identifier: BluetoothUUID(peer.identifier)) }
}

extension Advertisement {
    /// What Core Bluetooth tells of a device: its advertisement and its scan response together.
    ///
    /// The octets are put together again and not those that were on the air; flags, appearance and further makers' data are not
    /// told.
    init(_ peripheral: CBPeripheral, _ said: [String: Any], _ rssi: NSNumber) {
        var data = AdvertisingDataBuilder(limit: AdvertisingDataBuilder.chainedLimit)
        func uuids(_ key: String) -> [BluetoothUUID] {
            (said[key] as? [CBUUID] ?? []).map { BluetoothUUID($0) }
        }
        // What does not fit was in no advertisement, and is left out.
        try? data.appendServices(uuids(CBAdvertisementDataServiceUUIDsKey))
        let name = said[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
        if let name { try? data.append(.completeLocalName, Array(name.utf8)) }
        let power = (said[CBAdvertisementDataTxPowerLevelKey] as? NSNumber).flatMap {
            Int8(exactly: $0.intValue)
        }
        if let power { try? data.append(.txPower(power)) }
        if let octets = said[CBAdvertisementDataManufacturerDataKey] as? Data, octets.count >= 2 {
            try? data.append(.manufacturerSpecific, Array(octets))
        }
        let values = said[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:]
        for (uuid, value) in values.map({ (BluetoothUUID($0), Array($1)) }).sorted(by: {
            $0.0.description < $1.0.description
        }) {
            try? data.append(.serviceData(ServiceData(uuid: uuid, data: value)))
        }
        let solicited = uuids(CBAdvertisementDataSolicitedServiceUUIDsKey)
        if !solicited.isEmpty {
            try? data.append(.solicitedServices(solicited, .bits128))
        }
        let strength = Int8(exactly: rssi.intValue)
        self.init(
            peer: Peer(peripheral), rssi: strength == 127 ? nil : strength,
            isConnectable: (said[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue,
            isScanResponse: false, data: AdvertisingData(data.octets))
        txPower = power
        overflowServices = uuids(CBAdvertisementDataOverflowServiceUUIDsKey)
    }
}

extension CBError.Code {
    /// The code of an error, if it is one of Core Bluetooth's own.
    fileprivate init?(of error: any Error) {
        let error = error as NSError
        guard error.domain == CBErrorDomain else { return nil }
        self.init(rawValue: error.code)
    }
}

extension LinkError {
    /// Why Core Bluetooth says that a link is gone.
    ///
    /// - Parameters:
    ///   - error: What it says.
    ///   - isOn: Whether Bluetooth is on.
    init(_ error: any Error, isOn: Bool = true) {
        switch CBError.Code(of: error) {
        case _ where !isOn: self = .radioLost
        case .peripheralDisconnected: self = .closedByPeer
        case .connectionTimeout: self = .supervisionTimeout
        case .operationCancelled: self = .closedByUs
        // Spec: Core v5.4, Vol 1, Part F, 1.3: connection limit exceeded, connection failed to be established, authentication failure.
        case .connectionLimitReached: self = .controller(status: 0x09)
        case .connectionFailed: self = .controller(status: 0x3E)
        case .peerRemovedPairingInformation, .encryptionTimedOut: self = .closedByPeerBecause(status: 0x05)
        default: self = .protocolFailure
        }
    }
}

extension BluetoothError {
    /// Why no link could be opened.
    init(connecting error: (any Error)?) {
        switch error.flatMap({ CBError.Code(of: $0) }) {
        case .peerRemovedPairingInformation: self = .pairing(.keyMissing)
        case .encryptionTimedOut: self = .pairing(.timeout)
        case .connectionTimeout: self = .connectFailed(.connectTimeout)
        default: self = .connectFailed(error.map { LinkError($0) } ?? .protocolFailure)
        }
    }

    /// Why a request has failed; `nil` when the link is gone, whose end says more.
    init?(request error: any Error) {
        let known = error as NSError
        if known.domain == CBATTErrorDomain, let code = UInt8(exactly: known.code) {
            self = .refused(ATT.ErrorCode(rawValue: code))
            return
        }
        switch CBError.Code(of: error) {
        case .notConnected, .peripheralDisconnected: return nil
        case .connectionTimeout: self = .timeout
        case .invalidHandle: self = .servicesChanged
        case .operationNotSupported: self = .notOffered("the device does not have it")
        case .peerRemovedPairingInformation: self = .pairing(.keyMissing)
        case .encryptionTimedOut: self = .pairing(.timeout)
        case .outOfSpace: self = .tooManyRequests
        default: self = .badResponse
        }
    }
}
