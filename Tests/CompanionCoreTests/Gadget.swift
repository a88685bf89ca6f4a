// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import SessionTesting

/// A device that has something of everything that an explorer meets.
struct Gadget: DeviceSession {
    typealias Event = Never

    /// What it notifies, a test sends in its place.
    static let rate = BluetoothUUID(0x2A37)
    static let place = BluetoothUUID(0x2A38)
    /// Takes 1 and nothing else.
    static let control = BluetoothUUID(0x2A39)
    static let level = BluetoothUUID(0x2A19)
    /// Takes writes without response only.
    static let dial = BluetoothUUID(0xFF01)
    /// Is not read before the link is encrypted.
    static let secret = BluetoothUUID(0xFF02)

    private(set) var written: [[UInt8]] = []
    private var handles: GATT.ValueHandles?

    var name: WireText { "Gadget" }
    var appearance: UInt16 { 0 }
    var advertisement: DeviceAdvertisement { DeviceAdvertisement(data: [], scanResponse: []) }
    var nextDeadline: HostInstant? { nil }

    var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                BluetoothUUID(0x180D),
                characteristics: [
                    GATT.CharacteristicDefinition(Self.rate, .notify, value: .stored([])),
                    GATT.CharacteristicDefinition(Self.place, .read, value: .stored([1])),
                    GATT.CharacteristicDefinition(Self.control, .write, value: .delegated),
                ]),
            GATT.ServiceDefinition(
                BluetoothUUID(0x180F),
                characteristics: [
                    GATT.CharacteristicDefinition(Self.level, [.read, .notify], value: .stored([82]))
                ]),
            GATT.ServiceDefinition(
                BluetoothUUID(0xFF00),
                characteristics: [
                    GATT.CharacteristicDefinition(Self.dial, .writeWithoutResponse, value: .delegated),
                    GATT.CharacteristicDefinition(Self.secret, .read, value: .delegated),
                ]),
        ]
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) { self.handles = handles }
    mutating func receive(_ input: DeviceInput, at now: HostInstant) {}
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> DeviceOutput<Never>? { nil }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        throw .insufficientEncryption
    }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        let isControl = handle == handles?[Self.control]
        guard !isControl || value == [1] else { throw ATT.ErrorCode(rawValue: 0x80) }
        written.append(value)
    }
}

typealias ExplorerBench = JobBench<ExplorerJob, Gadget>

extension JobBench where Machine == ExplorerJob, Device == Gadget {
    /// A device that is explored, unless it is to be started later.
    convenience init(isStarted: Bool = true) {
        var table = JobTable.fresh
        self.init(table.beginExplorer(.tested, mayWrite: false, at: .beginning), Gadget())
        if isStarted { start() }
    }

    var explorer: HubExplorer { job.machine.explorer }
    var tree: GATTTree? { job.machine.tree }
    var isUnderWay: Bool { job.machine.isUnderWay }
    var isWatching: Bool { job.machine.isWatching }
    var deviceWritten: [[UInt8]] { pair.device.written }

    /// The handle of a value; 0 for none.
    func handle(_ uuid: BluetoothUUID) -> AttributeHandle { pair.handle(of: uuid) ?? 0 }
    func number(_ uuid: BluetoothUUID) -> Int { Int(handle(uuid).rawValue) }

    /// What was read, in order.
    var reads: [AttributeHandle] {
        pair.requests.compactMap { if case .read(let handle) = $0.request { handle } else { nil } }
    }

    /// The numbers of the values in the log, the newest first.
    func logged(of handle: Int? = nil, before number: Int? = nil, limit: Int = 100) -> [Int] {
        job.machine.log.values(of: handle, before: number, limit: limit).map(\.number)
    }

    /// The values that pages were told, event by event.
    var valueEvents: [ExplorerValuesCame] {
        pair.events.compactMap { if case .event(.values(let event)) = $0 { event } else { nil } }
    }

    // MARK: Requests and answers

    func read(_ handle: AttributeHandle, as id: Int64) throws(HubError) {
        try ask { machine, moment throws(HubError) in
            try machine.read(handle, for: JobRequest(id: id), at: moment)
        }
    }

    func write(
        _ octets: [UInt8], to uuid: BluetoothUUID, isAnswered: Bool = true, as id: Int64
    ) throws(HubError) {
        let handle = handle(uuid)
        try ask { machine, moment throws(HubError) in
            try machine.write(
                octets, to: handle, isAnswered: isAnswered, for: JobRequest(id: id), at: moment)
        }
    }

    func watch(_ handle: AttributeHandle, isOn: Bool = true, as id: Int64) throws(HubError) {
        try ask { machine, moment throws(HubError) in
            try machine.watch(handle, isOn: isOn, for: JobRequest(id: id), at: moment)
        }
    }

    func refresh() throws(HubError) {
        try ask { machine, _ throws(HubError) in try machine.refresh() }
    }

    /// The value with which a request was answered.
    func value(_ id: Int64) -> ExplorerValue? {
        for answer in completed where answer.id == id {
            if case .success(.value(let value)) = answer.result { return value }
        }
        return nil
    }

    /// Why the device could not be asked.
    func fault(_ id: Int64) -> HubError? {
        for answer in completed where answer.id == id {
            if case .failure(let fault) = answer.result { return fault }
        }
        return nil
    }

    /// Has the device take its time for what is read.
    func slowReads(milliseconds: UInt64) {
        pair.fate = { request in
            if case .read = request { .carriedOut(afterMilliseconds: milliseconds) } else { .carriedOut() }
        }
    }
}
