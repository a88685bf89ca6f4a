// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

// Another app as iPhones have it: it is a device.

/// Offers a service to whoever connects, and advertises it.
final class Sensor: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    static var service: CBUUID { CBUUID(string: "7E570001-0000-4000-8000-00805F9B34FB") }
    static var level: CBUUID { CBUUID(string: "7E570002-0000-4000-8000-00805F9B34FB") }
    static var model: CBUUID { CBUUID(string: "7E570003-0000-4000-8000-00805F9B34FB") }
    static var command: CBUUID { CBUUID(string: "7E570004-0000-4000-8000-00805F9B34FB") }
    static var alarm: CBUUID { CBUUID(string: "7E570005-0000-4000-8000-00805F9B34FB") }
    static var limit: CBUUID { CBUUID(string: "7E570006-0000-4000-8000-00805F9B34FB") }

    // As apps have it.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var manager: CBPeripheralManager!
    private(set) var service: CBMutableService
    let log = Log()
    let queue = DispatchQueue(label: "sensor")
    /// What is read of the level.
    var value = Data([1])
    /// Answers reads and writes; the usual, unless a test says otherwise.
    var reading: (Sensor, CBATTRequest) -> Void = { $0.answer($1) }
    var writing: (Sensor, [CBATTRequest]) -> Void = { $0.manager.respond(to: $1[0], withResult: .success) }
    var channelOpened: (CBL2CAPChannel) -> Void = { _ in }
    var roomAgain: (Sensor) -> Void = { _ in }
    private let name: String
    private let publishes: Bool

    init(
        _ name: String = "Sensor", of uuid: CBUUID = Sensor.service, restoring identifier: String? = nil,
        publishes: Bool = true, more characteristics: [CBMutableCharacteristic] = []
    ) {
        self.name = name
        self.publishes = publishes
        service = CBMutableService(type: uuid, primary: true)
        service.characteristics =
            [
                CBMutableCharacteristic(
                    type: Self.level, properties: [.read, .notify], value: nil, permissions: .readable),
                CBMutableCharacteristic(
                    type: Self.model, properties: .read, value: Data("Model 5".utf8), permissions: .readable),
                CBMutableCharacteristic(
                    type: Self.command, properties: [.write, .writeWithoutResponse], value: nil,
                    permissions: .writeable),
                CBMutableCharacteristic(type: Self.alarm, properties: .indicate, value: nil, permissions: []),
                CBMutableCharacteristic(
                    type: Self.limit, properties: .write, value: nil, permissions: .writeable),
            ] + characteristics
        super.init()
        manager = CBPeripheralManager(
            delegate: self, queue: queue,
            options: identifier.map { [CBPeripheralManagerOptionRestoreIdentifierKey: $0] })
    }

    subscript(_ uuid: CBUUID) -> CBMutableCharacteristic {
        let one = service.characteristics?.first { $0.uuid == uuid } as? CBMutableCharacteristic
        guard let one else { fatalError("no \(uuid)") }
        return one
    }

    var advertisement: [String: Any] {
        [CBAdvertisementDataLocalNameKey: name, CBAdvertisementDataServiceUUIDsKey: [service.uuid]]
    }

    /// Gives what is asked for, as Apple's documentation shows it.
    func answer(_ request: CBATTRequest) {
        guard request.offset <= value.count else {
            return manager.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        manager.respond(to: request, withResult: .success)
    }

    @discardableResult
    func send(_ octets: [UInt8], of uuid: CBUUID = Sensor.level) -> Bool {
        manager.updateValue(Data(octets), for: self[uuid], onSubscribedCentrals: nil)
    }

    // MARK: What it is told

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        // What the app is told may come before its initializer has the manager.
        manager = peripheral
        log.add("state \(peripheral.state)")
        guard peripheral.state == .poweredOn, publishes, !peripheral.isAdvertising else { return }
        peripheral.add(service)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        manager = peripheral
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let data = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any] ?? [:]
        if let restored = services.first { service = restored }
        let subscribers = self[Self.level].subscribedCentrals?.count ?? 0
        log.add("restored \(services.count) \(data[CBAdvertisementDataLocalNameKey] ?? "?") \(subscribers)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
    {
        log.add("added\(Self.words(error))")
        if error == nil, publishes, service === self.service { peripheral.startAdvertising(advertisement) }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        log.add("advertising \(peripheral.isAdvertising)\(Self.words(error))")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        let mine = self[characteristic.uuid].subscribedCentrals ?? []
        log.add(
            "subscribed \(mine.contains { $0 === central }) \(mine.count) \(central.maximumUpdateValueLength)"
        )
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { log.add("unsubscribed \(self[characteristic.uuid].subscribedCentrals?.count ?? 0)") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        log.add("read \(request.offset)")
        reading(self, request)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        log.add("written \(requests.map { "\($0.offset)+\($0.value?.count ?? 0)" })")
        writing(self, requests)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        log.add("ready")
        roomAgain(self)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { log.add("published \(PSM)\(Self.words(error))") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { log.add("unpublished \(PSM)\(Self.words(error))") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {
        log.add("channel \(channel?.psm ?? 0) \(channel?.peer is CBCentral)")
        if let channel { channelOpened(channel) }
    }

    static func words(_ error: (any Error)?) -> String {
        switch error {
        case nil: ""
        case let error as CBATTError: " \(error.code)"
        case let error as CBError: " \(error.code)"
        case let error?: " \(error)"
        }
    }
}
