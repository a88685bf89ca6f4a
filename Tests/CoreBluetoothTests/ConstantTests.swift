// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite("Apple's constants") struct ConstantTests {
    @Test("of states have the documented numbers") func states() {
        #expect((0...5).compactMap(CBManagerState.init(rawValue:)).count == 6)
        #expect(CBManagerState.poweredOff.rawValue == 4)
        #expect(CBManagerState.poweredOn.rawValue == 5)
        #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
        #expect(CBPeripheralState.connected.rawValue == 2)
        #expect(CBPeripheralState.disconnecting.rawValue == 3)
        #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
        #expect(CBPeripheralManagerConnectionLatency.high.rawValue == 2)
        #expect(CBConnectionEvent.peerConnected.rawValue == 1)
    }

    @Test("of properties are the bits of the air, and two more") func properties() {
        let all: [CBCharacteristicProperties] = [
            .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
            .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
        ]
        #expect(all.map(\.rawValue) == (0..<10).map { 1 << $0 })
        let some: CBCharacteristicProperties = [.read, .notify]
        #expect(some.rawValue == 0x12)
        #expect(some.contains(.notify))
        #expect(!some.contains(.write))
        #expect(some.union(.write).subtracting(.read) == [.write, .notify])
    }

    @Test("of permissions are four bits") func permissions() {
        let all: [CBAttributePermissions] = [
            .readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8])
        #expect(CBCentralManager.Feature.extendedScanAndConnect.rawValue == 1)
    }

    @Test("of options are keys of dictionaries, each another") func keys() {
        let keys = [
            CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
            CBCentralManagerOptionDeviceAccessForMedia, CBCentralManagerScanOptionAllowDuplicatesKey,
            CBCentralManagerScanOptionSolicitedServiceUUIDsKey,
            CBConnectPeripheralOptionNotifyOnConnectionKey,
            CBConnectPeripheralOptionNotifyOnDisconnectionKey,
            CBConnectPeripheralOptionNotifyOnNotificationKey,
            CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
            CBConnectPeripheralOptionRequiresANCS, CBConnectPeripheralOptionEnableAutoReconnect,
            CBCentralManagerRestoredStatePeripheralsKey, CBCentralManagerRestoredStateScanServicesKey,
            CBCentralManagerRestoredStateScanOptionsKey, CBPeripheralManagerRestoredStateServicesKey,
            CBPeripheralManagerRestoredStateAdvertisementDataKey, CBAdvertisementDataLocalNameKey,
            CBAdvertisementDataTxPowerLevelKey, CBAdvertisementDataServiceUUIDsKey,
            CBAdvertisementDataServiceDataKey, CBAdvertisementDataManufacturerDataKey,
            CBAdvertisementDataOverflowServiceUUIDsKey, CBAdvertisementDataIsConnectable,
            CBAdvertisementDataSolicitedServiceUUIDsKey,
        ]
        #expect(Set(keys).count == keys.count)
        // Apps and logs spell these out.
        #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
        #expect(CBAdvertisementDataOverflowServiceUUIDsKey == "kCBAdvDataHashedServiceUUIDs")
        #expect(CBCentralManagerRestoredStatePeripheralsKey == "kCBRestoredPeripherals")
        // The two managers take the same.
        #expect(CBPeripheralManagerOptionShowPowerAlertKey == CBCentralManagerOptionShowPowerAlertKey)
        #expect(CBPeripheralManagerOptionRestoreIdentifierKey == CBCentralManagerOptionRestoreIdentifierKey)
        let options: [CBConnectionEventMatchingOption: Any] = [.serviceUUIDs: [CBUUID(string: "180D")]]
        #expect(options[.peripheralUUIDs] == nil)
        #expect(CBConnectionEventMatchingOption.serviceUUIDs != .peripheralUUIDs)
    }

    @Test("of times begin with 2001") func times() {
        let now: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
        #expect(abs(Date(timeIntervalSinceReferenceDate: now).timeIntervalSinceNow) < 60)
    }
}
