// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite("Services of an app's own") struct AttributeTests {
    private let uuid = CBUUID(string: "180D")

    @Test("know what they are made of, and that knows them") func service() {
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "2A37"), properties: [.notify], value: nil, permissions: [.readable])
        let service = CBMutableService(type: uuid, primary: true)
        #expect(service.characteristics == nil)
        #expect(service.includedServices == nil)
        #expect(service.peripheral == nil)
        #expect(service.isPrimary)
        service.characteristics = [value]
        #expect(value.service === service)
        let other = CBMutableService(type: uuid, primary: false)
        #expect(!other.isPrimary)
        other.characteristics = [value]
        service.characteristics = nil
        #expect(value.service === other)
        other.characteristics = []
        #expect(value.service == nil)
        service.includedServices = [other]
        #expect(service.includedServices?.first === other)
    }

    @Test("are not held by what they are made of") func weakness() {
        let value = CBMutableCharacteristic(type: uuid, properties: [], value: nil, permissions: [])
        let descriptor = CBMutableDescriptor(type: uuid, value: nil)
        do {
            let service = CBMutableService(type: uuid, primary: true)
            service.characteristics = [value]
            let characteristic = CBMutableCharacteristic(
                type: uuid, properties: [], value: nil, permissions: [])
            characteristic.descriptors = [descriptor]
            #expect(value.service != nil)
            #expect(descriptor.characteristic === characteristic)
        }
        #expect(value.service == nil)
        #expect(descriptor.characteristic == nil)
    }

    @Test("have characteristics with what they were made with") func characteristic() {
        let plain = CBMutableCharacteristic(
            type: uuid, properties: [.read, .write], value: nil, permissions: [.readable, .writeable])
        #expect(plain.uuid == uuid)
        #expect(plain.properties == [.read, .write])
        #expect(plain.permissions == [.readable, .writeable])
        #expect(plain.value == nil)
        #expect(plain.descriptors == nil)
        #expect(!plain.isNotifying)
        #expect(plain.subscribedCentrals?.isEmpty == true)
        #expect(!plain.valueIsCached)
        plain.value = Data([1])
        #expect(plain.value == Data([1]))
        #expect(!plain.valueIsCached)
        // What an app sees through the class above is the same.
        #expect((plain as CBCharacteristic).value == Data([1]))
        let fixed = CBMutableCharacteristic(
            type: uuid, properties: .read, value: Data(), permissions: .readable)
        #expect(fixed.valueIsCached)
        #expect(fixed.handle == nil)
    }

    @Test("have descriptors with a value") func descriptor() {
        let descriptor = CBMutableDescriptor(
            type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Heart")
        #expect(descriptor.value as? String == "Heart")
        let characteristic = CBMutableCharacteristic(type: uuid, properties: [], value: nil, permissions: [])
        characteristic.descriptors = [descriptor]
        #expect(descriptor.characteristic === characteristic)
        characteristic.descriptors = nil
        #expect(descriptor.characteristic == nil)
    }

    @Test("are asked with requests of centrals") func request() {
        let central = CBCentral(identifier: UUID())
        let characteristic = CBMutableCharacteristic(
            type: uuid, properties: [.read], value: nil, permissions: [.readable])
        let request = CBATTRequest(central: central, characteristic: characteristic, offset: 3, value: nil)
        request.value = Data([7])
        #expect(request.central === central)
        #expect(request.characteristic === characteristic)
        #expect(request.offset == 3)
        #expect(request.value == Data([7]))
        #expect(central.maximumUpdateValueLength == 20)
        #expect(central.copy() as? CBCentral === central)
    }

    @Test("carry channels of two streams") func channel() {
        let central = CBCentral(identifier: UUID())
        let input = InputStream(data: Data([1, 2]))
        let channel = CBL2CAPChannel(
            peer: central, psm: 0x80, input: input, output: OutputStream(toMemory: ()))
        let psm: CBL2CAPPSM = channel.psm
        #expect(psm == 0x80)
        #expect(channel.peer === central)
        #expect(channel.peer.identifier == central.identifier)
        channel.inputStream.open()
        #expect(channel.inputStream.hasBytesAvailable)
    }
}
