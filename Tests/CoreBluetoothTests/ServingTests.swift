// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Testing
import VirtualPhone

@Suite("What an app serves, and where it is", .timeLimit(.minutes(5)))
struct ServingTests {
    static var other: CBUUID { CBUUID(string: "7E57AAAA-0000-4000-8000-00805F9B34FB") }

    // MARK: Advertising

    @Test func stoppingAdvertisingLosesNoLink() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensor.manager.startAdvertising(pair.sensor.advertisement)
            try await pair.sensor.log.next("advertising true alreadyAdvertising")
            pair.sensor.manager.stopAdvertising()
            #expect(!pair.sensor.manager.isAdvertising)
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value [1]")
            let third = VirtualPhone(name: "Third", radio: try await air.radio("C0:AA:00:00:00:03"))
            let late = third.app().launch { Reader(connects: false) }
            try await air.advance(by: .seconds(30))
            #expect(late.log.lines == ["state poweredOn"])
            pair.sensor.manager.startAdvertising(pair.sensor.advertisement)
            try await pair.sensor.log.next("advertising true")
            try await late.log.next("found")
            #expect(!pair.reader.log.lines.contains { $0.hasPrefix("disconnected") })
        }
    }

    /// In the background all services are in the overflow area, which only those see who name one, and there is no name.
    @Test func anAppInTheBackgroundIsFoundByThoseWhoNameItsService() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(name: "Sensor's", radio: try await air.radio("C0:AA:00:00:00:01"))
            let app = phone.app("org.example.sensor")
            let sensor = app.launch { Sensor() }
            try await sensor.log.next("advertising true")
            app.isInForeground = false
            try await air.advance(by: .seconds(2))
            let third = VirtualPhone(name: "Reader's", radio: try await air.radio("C0:AA:00:00:00:02"))
            let readers = third.app().launch {
                (
                    named: Reader(connects: false), another: Reader([Self.other], connects: false),
                    all: Reader(nil, connects: false)
                )
            }
            try await readers.named.log.next("found - shown 0 hidden 1")
            try await readers.all.log.next("found - shown 0 hidden 0")
            try await air.advance(by: .seconds(10))
            #expect(!readers.another.log.lines.contains { $0.hasPrefix("found") })
            // Nothing in the background sees the overflow area.
            let behind = third.app("org.example.behind")
            let hidden = behind.launch { Reader(connects: false) }
            behind.isInForeground = false
            try await air.advance(by: .seconds(10))
            #expect(!hidden.log.lines.contains { $0.hasPrefix("found") })
            app.isInForeground = true
            try await hidden.log.next("found")
            #expect(hidden.log.lines.last?.hasSuffix("shown 1 hidden 0") == true, "\(hidden.log.lines)")
        }
    }

    @Test func whatDoesNotFitGoesToTheOverflowArea() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let app = phone.app()
            let sensor = app.launch { Sensor(publishes: false) }
            try await sensor.log.next("state poweredOn")
            sensor.manager.startAdvertising([
                CBAdvertisementDataLocalNameKey: "A name of 20 letters",
                CBAdvertisementDataServiceUUIDsKey: [Sensor.service, Self.other],
                CBAdvertisementDataTxPowerLevelKey: 4,
            ])
            try await sensor.log.next("advertising true")
            let third = VirtualPhone(name: "Reader's", radio: try await air.radio("C0:AA:00:00:00:02"))
            let readers = third.app().launch {
                (Reader(connects: false), Reader([Self.other], connects: false))
            }
            // The map leaves the scan response 8 octets of a name.
            try await readers.0.log.next("found A name o shown 1 hidden 0")
            try await readers.1.log.next("found A name o shown 1 hidden 1")
        }
    }

    /// Without the background mode an app that is not on the screen is not there for others, but its links stay.
    @Test func anAppThatSleepsServesNothing() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensorApp.backgroundModes = []
            pair.sensorApp.isInForeground = false
            try await air.advance(by: .seconds(1))
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value unlikelyError")
            pair.reader.write([1])
            try await pair.reader.log.next("wrote unlikelyError")
            pair.reader.read(Sensor.model)
            try await pair.reader.log.next("value \(Array("Model 5".utf8))")
            let third = VirtualPhone(name: "Third", radio: try await air.radio("C0:AA:00:00:00:03"))
            let late = third.app().launch { Reader(connects: false) }
            try await air.advance(by: .seconds(30))
            #expect(late.log.lines == ["state poweredOn"])
            #expect(!pair.sensor.log.lines.contains { $0.hasPrefix("read") || $0.hasPrefix("written") })
            pair.sensorApp.isInForeground = true
            try await late.log.next("found Sensor")
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value [1]")
        }
    }

    // MARK: Several apps, several roles

    @Test func twoAppsOfAPhoneServeBesideEachOther() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(name: "Sensors", radio: try await air.radio("C0:AA:00:00:00:01"))
            let apps = [phone.app("org.example.one"), phone.app("org.example.two")]
            let one = apps[0].launch { Sensor("One") }
            try await one.log.next("advertising true")
            let two = apps[1].launch { Sensor("Two", of: Self.other) }
            try await two.log.next("advertising true")
            two.value = Data([2])
            let third = VirtualPhone(name: "Reader's", radio: try await air.radio("C0:AA:00:00:00:02"))
            let reader = third.app().launch { Reader() }
            try await reader.log.next("ready 10")
            let levels = reader.peripheral!.services!.compactMap { service in
                service.characteristics!.first { $0.uuid == Sensor.level }
            }
            for level in levels { reader.peripheral!.readValue(for: level) }
            try await reader.log.next("value [1]")
            try await reader.log.next("value [2]")
            #expect(one.log.lines.filter { $0.hasPrefix("read") }.count == 1)
            #expect(two.log.lines.filter { $0.hasPrefix("read") }.count == 1)
            // One that does not answer holds up nobody else's reader.
            one.reading = { _, _ in }
            reader.peripheral!.readValue(for: levels[0])
            try await one.log.next("read")
            let fourth = VirtualPhone(name: "Fourth", radio: try await air.radio("C0:AA:00:00:00:03"))
            let late = fourth.app().launch { Reader([Self.other]) }
            try await late.log.next("ready 10")
            let second = late.peripheral!.services!.last!.characteristics!.first { $0.uuid == Sensor.level }!
            late.peripheral!.readValue(for: second)
            try await late.log.next("value [2]")
            // What one has published goes with it: its reader is refused at once, and told.
            apps[0].endByPerson()
            try await reader.log.next("value ")
            try await late.log.next("modified 1")
            late.peripheral!.readValue(for: second)
            try await late.log.next("value [2]")
        }
    }

    /// Each of two phones is a device for the other, over links that each opens itself.
    @Test func anAppMayBeBoth() async throws {
        try await TestAir.run { air in
            let phones = [
                VirtualPhone(name: "A", radio: try await air.radio("C0:AA:00:00:00:01")),
                VirtualPhone(name: "B", radio: try await air.radio("C0:AA:00:00:00:02")),
            ]
            let first = phones[0].app().launch { (sensor: Sensor("A"), reader: Reader([Self.other])) }
            let second = phones[1].app().launch {
                (sensor: Sensor("B", of: Self.other), reader: Reader(connects: false))
            }
            second.sensor.value = Data([2])
            try await first.reader.log.next("ready")
            first.reader.read(Sensor.level)
            try await first.reader.log.next("value [2]")
            // The other way round, over the link that is there.
            first.reader.follow(Sensor.level)
            try await second.sensor.log.next("subscribed")
            #expect(second.sensor.send([9]))
            try await first.reader.log.next("value [9]")
            try await second.reader.log.next("found")
        }
    }

    // MARK: Services

    @Test func servicesComeAndGoWhileSomebodyIsConnected() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            let included = CBMutableService(type: CBUUID(string: "180A"), primary: false)
            let model = CBMutableCharacteristic(
                type: CBUUID(string: "2A24"), properties: .read, value: Data("M".utf8), permissions: .readable
            )
            model.descriptors = [CBMutableDescriptor(type: CBUUID(string: "2901"), value: "which one")]
            included.characteristics = [model]
            let more = CBMutableService(type: Self.other, primary: true)
            more.includedServices = [included]
            pair.sensor.manager.add(more)
            try await pair.sensor.log.next("added invalidParameters")
            pair.sensor.manager.add(included)
            try await pair.sensor.log.next("added")
            pair.sensor.manager.add(more)
            try await pair.sensor.log.next("added")
            #expect(pair.sensor.log.lines.last == "added")
            try await air.advance(by: .seconds(2))
            pair.reader.explore()
            try await pair.reader.log.next("ready")
            let found = pair.reader.peripheral?.services?.first { $0.uuid == Self.other }
            #expect(found?.includedServices?.map(\.uuid) == [CBUUID(string: "180A")])
            pair.sensor.manager.remove(pair.sensor.service)
            try await pair.reader.log.next("modified 1")
            #expect(pair.reader.peripheral?.services?.contains { $0.uuid == Sensor.service } == false)
            pair.sensor.manager.removeAllServices()
            try await pair.reader.log.next("modified 1")
            pair.reader.explore()
            try await pair.reader.log.next("ready 0")
        }
    }

    @Test func whatCannotBePublishedIsRefused() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let sensor = phone.app().launch { () -> Sensor in
                let sensor = Sensor(publishes: false)
                // Too early: nobody is told of it.
                sensor.manager.add(sensor.service)
                sensor.manager.startAdvertising(sensor.advertisement)
                #expect(!sensor.send([1]))
                return sensor
            }
            try await sensor.log.next("state poweredOn")
            func service(_ characteristic: CBMutableCharacteristic, _ uuid: CBUUID = Sensor.service)
                -> CBMutableService
            {
                let service = CBMutableService(type: uuid, primary: true)
                service.characteristics = [characteristic]
                return service
            }
            func value(_ properties: CBCharacteristicProperties, _ value: Data?) -> CBMutableCharacteristic {
                CBMutableCharacteristic(
                    type: Self.other, properties: properties, value: value, permissions: [.readable])
            }
            let described = value(.read, nil)
            described.descriptors = [
                CBMutableDescriptor(type: CBUUID(string: "2902"), value: NSNumber(value: 1))
            ]
            let writable = CBMutableCharacteristic(
                type: Self.other, properties: .read, value: Data(), permissions: [.readable, .writeable])
            for (service, error) in [
                (service(value([.read, .write], Data([1]))), "invalidParameters"),
                (service(value([.read, .notify], Data([1]))), "invalidParameters"),
                (service(writable), "invalidParameters"),
                (service(value(.broadcast, nil)), "invalidParameters"),
                (service(described), "invalidParameters"),
                (service(value(.read, Data(count: 513))), "invalidParameters"),
                (service(value(.read, nil), CBUUID(string: "1801")), "uuidNotAllowed"),
            ] {
                sensor.manager.add(service)
                try await sensor.log.next("added \(error)")
            }
            sensor.manager.add(sensor.service)
            try await sensor.log.next("added")
            #expect(sensor.log.lines.last == "added")
            sensor.manager.add(sensor.service)
            try await sensor.log.next("added invalidParameters")
            #expect(sensor.log.lines.filter { $0 == "added" }.count == 1)
            #expect(!sensor.log.lines.contains { $0.hasPrefix("advertising") })
        }
    }

    /// A property that the permissions do not allow.
    @Test func permissionsCount() async throws {
        try await TestAir.run { air in
            let locked = CBMutableCharacteristic(
                type: Self.other, properties: [.read, .write], value: nil, permissions: [])
            let pair = try await Pair(on: air) { Sensor(more: [locked]) }
            pair.reader.read(Self.other)
            try await pair.reader.log.next("value readNotPermitted")
            pair.reader.write([1], Self.other)
            try await pair.reader.log.next("wrote writeNotPermitted")
            #expect(!pair.sensor.log.lines.contains { $0.hasPrefix("read") || $0.hasPrefix("written") })
        }
    }

    /// Nobody pairs here, so what demands encryption stays closed.
    @Test func whatDemandsEncryptionIsClosedWithoutIt() async throws {
        try await TestAir.run { air in
            let secret = CBMutableCharacteristic(
                type: Self.other, properties: [.read, .write, .notifyEncryptionRequired], value: nil,
                permissions: [.readEncryptionRequired, .writeEncryptionRequired])
            let pair = try await Pair(on: air) { Sensor(more: [secret]) }
            pair.reader.read(Self.other)
            try await pair.reader.log.next("value insufficientAuthentication")
            pair.reader.write([1], Self.other)
            try await pair.reader.log.next("wrote insufficientAuthentication")
            #expect(pair.reader[Self.other].properties.contains(.notify))
            pair.reader.follow(Self.other)
            try await pair.reader.log.next("follows false insufficientAuthentication")
            #expect(!pair.sensor.log.lines.contains { $0.hasPrefix("read") || $0.hasPrefix("subscribed") })
        }
    }
}
