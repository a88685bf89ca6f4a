// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import DBus

// What BlueZ asks of our objects, and what clients are sent.
extension BlueZRadio {
    func handle(_ request: DBusRequest) {
        guard let serving else { return BlueZ.refuse(request, .unlikelyError) }
        switch (request.interface, request.method) {
        case ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects") where request.path == serving.root:
            request.answer([serving.application.managedObjects])
        case ("org.freedesktop.DBus.Properties", "GetAll"):
            guard let interface = request.arguments.first?.string,
                let properties = properties(of: request.path, interface)
            else { return Self.refuseUnknown(request) }
            request.answer([.options(properties)])
        case ("org.freedesktop.DBus.Properties", "Get"):
            guard request.arguments.count == 2, let interface = request.arguments[0].string,
                let name = request.arguments[1].string,
                let value = properties(of: request.path, interface)?[name]
            else { return Self.refuseUnknown(request) }
            request.answer([.variant(value)])
        case (BlueZ.advertisement, "Release"):
            request.answer()
            released(request.path)
        case (BlueZ.characteristic, _), (BlueZ.descriptor, _):
            guard let handle = serving.application.handles[request.path] else {
                return Self.refuseUnknown(request)
            }
            perform(request, on: handle)
        default: Self.refuseUnknown(request)
        }
    }

    private static func refuseUnknown(_ request: DBusRequest) {
        request.refuse("org.freedesktop.DBus.Error.UnknownMethod", "there is no \(request.method) here")
    }

    private func properties(of path: String, _ interface: String) -> DBusObjects.Properties? {
        guard let serving else { return nil }
        if path == serving.advertisementPath, interface == BlueZ.advertisement {
            return serving.advertisement.properties
        }
        return serving.application.objects[path]?[interface]
    }

    /// BlueZ advertises no more what it was told to.
    private func released(_ path: String) {
        guard let serving, path == serving.advertisementPath, serving.isAdvertising else { return }
        self.serving?.isAdvertising = false
        serving.server.state.source.yield(
            .advertisingStopped(.refusedByRadio("BlueZ has let the advertisement go")))
    }

    private func perform(_ request: DBusRequest, on handle: AttributeHandle) {
        let arguments = request.arguments
        switch request.method {
        case "ReadValue": read(request, handle, arguments.first?.named ?? [:])
        case "WriteValue":
            guard let value = arguments.first?.octets else { return BlueZ.refuse(request, .invalidPDU) }
            write(value, request, handle, arguments.last?.named ?? [:])
        case "AcquireNotify": acquire(request, handle, arguments.first?.named ?? [:])
        case "StartNotify":
            request.answer()
            guard serving?.started.insert(handle).inserted == true else { return }
            subscribed(to: handle, nil, isIndication: true)
        case "StopNotify":
            request.answer()
            guard serving?.started.remove(handle) != nil else { return }
            unsubscribed(from: handle, nil)
        case "Confirm":
            request.answer()
            guard let serving, let guest = serving.guests.values.first else { return }
            serving.server.state.source.yield(
                .indicationConfirmed(of: handle, by: guest.client))
        default: Self.refuseUnknown(request)
        }
    }

    /// Who asks; BlueZ says which device it is.
    private func guest(_ options: [String: DBusValue]) -> String? {
        guard let path = options["device"]?.string else { return serving?.guests.keys.first }
        if serving?.guests[path] == nil { lookForGuests() }
        guard let serving, let guest = serving.guests[path] else { return nil }
        if let mtu = options["mtu"]?.integer, (23...517).contains(mtu), guest.mtu != mtu {
            self.serving?.guests[path]?.mtu = mtu
            serving.server.state.source.yield(.mtuChanged(guest.client, mtu: mtu))
        }
        return path
    }

    // MARK: Values

    private func read(_ request: DBusRequest, _ handle: AttributeHandle, _ options: [String: DBusValue]) {
        let device = guest(options), offset = options["offset"]?.integer ?? 0
        guard let serving, let attribute = serving.database.attribute(handle) else {
            return BlueZ.refuse(request, .invalidHandle)
        }
        switch attribute.content {
        case .constant(let value), .value(_, .stored(let value)):
            give(value, to: request, from: offset)
        case .value(_, .delegated):
            guard let device, let guest = serving.guests[device], serving.server.state.source.isOpen else {
                return BlueZ.refuse(request, .unlikelyError)
            }
            // The rest of a long value is that of the same value.
            if offset > 0, let value = guest.read[handle] { return give(value, to: request, from: offset) }
            let number = wait(
                Serving.Pending(
                    request: request, device: device, handle: handle, offset: offset, isRead: true))
            serving.server.state.source.yield(
                .readRequest(
                    ReadRequest(
                        client: guest.client, uuid: attribute.type, handle: handle, number: number)))
        default: BlueZ.refuse(request, .readNotPermitted)
        }
    }

    private func give(_ value: [UInt8], to request: DBusRequest, from offset: Int) {
        guard offset <= value.count else { return BlueZ.refuse(request, .invalidOffset) }
        request.answer([.octets(Array(value[offset...]))])
    }

    private func write(
        _ part: [UInt8], _ request: DBusRequest, _ handle: AttributeHandle, _ options: [String: DBusValue]
    ) {
        guard !isFlooded(by: request) else { return }
        // Whether it may be is asked before it is: it may.
        if options["prepare-authorize"]?.bool == true { return request.answer() }
        let device = guest(options), offset = options["offset"]?.integer ?? 0
        guard let serving, let device, let guest = serving.guests[device],
            let attribute = serving.database.attribute(handle), case .value(_, let source) = attribute.content
        else { return BlueZ.refuse(request, .unlikelyError) }
        var value = part
        if offset > 0 {
            var before = guest.written[handle] ?? []
            if case .stored(let stored) = source { before = stored }
            guard offset <= before.count else { return BlueZ.refuse(request, .invalidOffset) }
            value = before[..<offset] + part
        }
        guard value.count <= ATT.maximumValueLength else {
            return BlueZ.refuse(request, .invalidAttributeValueLength)
        }
        self.serving?.guests[device]?.written[handle] = value
        if case .stored = source {
            try? self.serving?.database.store(value, at: handle)
            request.answer()
            serving.server.state.source.yield(.valueWritten(value, to: handle, by: guest.client))
            return
        }
        guard serving.server.state.source.isOpen else { return BlueZ.refuse(request, .unlikelyError) }
        let expectsResponse = options["type"]?.string != "command"
        var number: UInt64 = 0
        if expectsResponse {
            number = wait(
                Serving.Pending(
                    request: request, device: device, handle: handle, offset: offset, isRead: false))
        } else {
            request.answer()
        }
        serving.server.state.source.yield(
            .writeRequest(
                WriteRequest(
                    client: guest.client, uuid: attribute.type, handle: handle, value: value,
                    expectsResponse: expectsResponse, number: number)))
    }

    /// Cuts a client off that writes faster than anybody takes it out, as our own host does.
    private func isFlooded(by request: DBusRequest) -> Bool {
        guard let serving, serving.server.state.source.count >= Serving.eventLimit else { return false }
        BlueZ.refuse(request, .insufficientResources)
        if let device = request.arguments.last?.named?["device"]?.string, serving.guests[device] != nil {
            bus?.send(DBusCall(BlueZ.service, device, BlueZ.device, "Disconnect")) { _ in }
        }
        return true
    }

    private func wait(_ pending: Serving.Pending) -> UInt64 {
        let number = (serving?.requestCount ?? 0) + 1
        serving?.requestCount = number
        serving?.pending[number] = pending
        return number
    }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64) {
        guard let pending = serving?.pending.removeValue(forKey: number) else { return }
        switch result {
        case .success(let value) where pending.isRead:
            if let device = pending.device { serving?.guests[device]?.read[pending.handle] = value }
            give(value, to: pending.request, from: pending.offset)
        case .success: pending.request.answer()
        case .failure(let code): BlueZ.refuse(pending.request, code)
        }
    }

    // MARK: What clients are sent

    private func acquire(_ request: DBusRequest, _ handle: AttributeHandle, _ options: [String: DBusValue]) {
        let device = guest(options)
        guard serving?.acquired[handle] == nil else {
            return request.refuse("org.bluez.Error.NotPermitted", "it is acquired")
        }
        let made = NotifiedValues.make(on: loop) { [weak self] in
            self?.onLoop { $0.released(handle) }
        }
        guard let (values, descriptor) = made else { return BlueZ.refuse(request, .insufficientResources) }
        serving?.acquired[handle] = (values, device)
        let mtu = options["mtu"]?.integer.flatMap { UInt16(exactly: $0) } ?? UInt16(ATT.defaultMTU)
        request.answer([.descriptor(descriptor), .uint16(mtu)])
        subscribed(to: handle, device, isIndication: false)
    }

    private func released(_ handle: AttributeHandle) {
        guard let (_, device) = serving?.acquired.removeValue(forKey: handle) else { return }
        unsubscribed(from: handle, device)
    }

    /// Tells who has subscribed: the device that BlueZ names, otherwise everybody who is connected.
    private func subscribed(to handle: AttributeHandle, _ device: String?, isIndication: Bool) {
        lookForGuests()
        guard let serving else { return }
        for (path, guest) in serving.guests where device == nil || path == device {
            serving.server.state.source.yield(
                .subscribed(guest.client, to: handle, isIndication ? .indicate : .notify))
        }
    }

    private func unsubscribed(from handle: AttributeHandle, _ device: String?) {
        guard let serving else { return }
        for (path, guest) in serving.guests where device == nil || path == device {
            serving.server.state.source.yield(.unsubscribed(guest.client, from: handle))
        }
    }

    func update(
        _ value: [UInt8], of handle: AttributeHandle, for server: BlueZServer
    ) async throws(BluetoothError) {
        guard let serving, serving.server === server,
            case .value(_, let source)? = serving.database.attribute(handle)?.content
        else { throw .invalidArgument("There is no such value.") }
        if case .stored = source { try? self.serving?.database.store(value, at: handle) }
        _ = try await pass(value, of: handle, for: server)
    }

    func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to client: Server.Client,
        of server: BlueZServer
    ) async throws(BluetoothError) -> Bool {
        guard let serving, serving.server === server,
            let (_, guest) = serving.guests.first(where: { $0.value.client == client })
        else { return false }
        // BlueZ cuts off what is too long where it has not said what is.
        let limit = guest.mtu.map { ATT.longestValue(atMTU: $0) } ?? value.count
        return try await pass(Array(value.prefix(limit)), of: handle, for: server)
    }

    /// Gives BlueZ a value for all who have subscribed.
    private func pass(
        _ value: [UInt8], of handle: AttributeHandle, for server: BlueZServer
    ) async throws(BluetoothError) -> Bool {
        while let (values, _) = serving?.acquired[handle], serving?.server === server {
            guard let room = values.give(value) else { return values.isOpen }
            try await room.wait()
        }
        guard let serving, serving.server === server, serving.started.contains(handle),
            let path = serving.application.paths[handle]
        else { return false }
        bus?.emit(
            DBusSignal(
                path: path, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
                arguments: [
                    .string(BlueZ.characteristic), .options(["Value": .octets(value)]), .array([], of: "s"),
                ]))
        return true
    }
}
