// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// What a radio has of Core Bluetooth as a peripheral: a manager from the first server on, since the system may ask a person when
/// there is one.
struct PeripheralSide {
    var manager: CBPeripheralManager?
    /// The manager holds it weakly.
    var delegate: PeripheralDelegate?
    /// Those who wait for the manager's first state.
    var settling: [Waiter<Void>] = []
    /// Those who wait until a service is published.
    var publishing: [ObjectIdentifier: Waiter<Void>] = [:]
    /// Those who wait until an advertisement is on the air: each callback is for the one who has waited longest.
    var starting = FIFO<Waiter<Void>>()
    /// Those who wait for the PSM of a channel, in the order of its callbacks.
    var listening = FIFO<Waiter<CoreBluetoothListener>>()
    var listeners: [UInt16: CoreBluetoothListener] = [:]
    /// Channels that peers have opened, and some that are closed.
    var channels: [CoreBluetoothChannel] = []
    var serving: Serving?
    /// Links of centrals that there were.
    var linkCount: UInt32 = 0

    /// Has everybody go on who waits for something to be put up for a server.
    mutating func endWaiting(_ error: BluetoothError) {
        let waiting = publishing.values
        publishing = [:]
        for waiter in waiting { waiter.end(.failure(error)) }
        while let waiter = starting.popFirst() { waiter.end(.failure(error)) }
    }
}

/// What this side is as a peripheral.
struct Serving {
    /// A central that has done something.
    struct Guest {
        let client: Server.Client
        let central: CBCentral
        var room: Int
        var subscriptions: [AttributeHandle: GATT.Subscription] = [:]
        /// What it reads in parts.
        var read: [AttributeHandle: [UInt8]] = [:]
    }

    /// What waits for an answer.
    enum Pending {
        case read(CBATTRequest, AttributeHandle, guest: UUID)
        case write(WriteTogether)
    }

    /// Values that are written together, which have one answer.
    final class WriteTogether {
        let request: CBATTRequest
        var waiting: Int

        init(_ request: CBATTRequest, waiting: Int) {
            self.request = request
            self.waiting = waiting
        }
    }

    /// Events that may wait for the device; beyond, who writes is refused.
    static let eventLimit = 1024
    /// Centrals that are remembered: nobody says when one goes.
    static let guestLimit = 64

    let server: CoreBluetoothServer
    var offered: OfferedServices
    var database: GATT.Database
    var isAdvertising = false
    var guests = RecencyDictionary<UUID, Guest>(limit: Serving.guestLimit + 1)
    /// The same centrals, the one that has come first at the front.
    var order: [UUID] = []
    var pending: [UInt64: Pending] = [:]
    var requestCount: UInt64 = 0
    /// Those who send a value, in their order: the first tries, or waits for room.
    var line: [Waiter<Void>] = []
    var room: Waiter<Void>?
    /// New values that wait for room, for all who have subscribed.
    var updates: [AttributeHandle: [UInt8]] = [:]
}

/// What a peripheral manager calls, on the queue.
final class PeripheralDelegate: NSObject, CBPeripheralManagerDelegate {
    private weak var radio: CoreBluetoothRadio?

    init(_ radio: CoreBluetoothRadio) { self.radio = radio }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        radio?.onQueue { $0.peripheralStateChanged() }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        radio?.onQueue { $0.advertisingStarted(error) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        let service = ObjectIdentifier(service)
        radio?.onQueue { $0.published(service, error) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        let (central, characteristic) = (OnQueue(central), OnQueue(characteristic))
        radio?.onQueue { $0.subscribed(central.value, characteristic.value, true) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        let (central, characteristic) = (OnQueue(central), OnQueue(characteristic))
        radio?.onQueue { $0.subscribed(central.value, characteristic.value, false) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let request = OnQueue(request)
        radio?.onQueue { $0.read(request.value) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        let requests = OnQueue(requests)
        radio?.onQueue { $0.write(requests.value) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { radio?.onQueue { $0.listens(at: PSM, error) } }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {
        guard let channel else { return }
        let opened = OnQueue(channel)
        radio?.onQueue { $0.opened(opened.value) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        radio?.onQueue { $0.hasRoom() }
    }
}
