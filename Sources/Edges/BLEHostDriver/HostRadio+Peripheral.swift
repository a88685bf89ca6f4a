// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLEWire
public import BluetoothLE

extension HostRadio {
    /// Offers services and advertises.
    public func serve(_ description: ServerDescription) async throws(BluetoothError) -> any Server {
        guard stack.isReady else { throw .radioUnavailable("it is off") }
        guard server == nil else { throw .invalidArgument("This radio serves already; stop that first.") }
        let isOffered =
            if let database = description.database {
                stack.offer(database: database)
            } else {
                stack.offer(
                    name: description.name, appearance: description.appearance,
                    services: description.services)
            }
        guard isOffered else { throw .refusedByRadio("a central is still connected") }
        let server = HostServer(self, isConnectable: description.isConnectable)
        self.server = server
        do throws(BluetoothError) {
            try await advertise(description.advertisement, for: server)
        } catch {
            self.server = nil
            throw error
        }
        return server
    }

    func advertise(
        _ advertisement: DeviceAdvertisement, for server: HostServer
    ) async throws(BluetoothError) {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        guard advertisingWaiter == nil else { throw .invalidArgument("Advertising is just being changed.") }
        let parameters = AdvertisingParameters(
            data: advertisement.data, scanResponse: advertisement.scanResponse,
            isConnectable: server.isConnectable)
        let controller = stack.controller
        guard parameters.fits(controller) else {
            let octets =
                controller.usesExtendedCommands
                ? parameters.data.count + parameters.scanResponse.count
                : max(parameters.data.count, parameters.scanResponse.count)
            throw .tooLong(octets: octets, limit: controller.maximumAdvertisingDataLength)
        }
        let failure = await withCheckedContinuation { waiter in
            advertisingWaiter = waiter
            stack.startAdvertising(parameters, at: clock.now)
            drain()
        }
        if let failure { throw failure }
    }

    var database: GATT.Database { stack.database }

    func add(
        _ service: GATT.ServiceDefinition, to server: HostServer
    ) throws(BluetoothError) -> ATT.HandleRange {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        defer { drain() }
        guard let range = stack.add(service, at: clock.now) else {
            throw .invalidArgument("The service's handles are taken, or there are none left.")
        }
        return range
    }

    func removeService(at handle: AttributeHandle, of server: HostServer) throws(BluetoothError) {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        defer { drain() }
        guard stack.removeService(at: handle, at: clock.now) else {
            throw .invalidArgument("No service is declared there, or another one needs it.")
        }
    }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, on link: LinkID) {
        stack.answer(result, on: link, at: clock.now)
        drain()
    }

    func send(_ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to link: LinkID) async
        -> Bool
    {
        await room(on: link)
        defer { drain() }
        return stack.send(value, of: handle, as: kind, on: link, at: clock.now)
    }

    func stop(_ server: HostServer) {
        guard self.server === server else { return }
        self.server = nil
        stack.stopAdvertising(at: clock.now)
        for link in server.clients { stack.disconnect(link, at: clock.now) }
        drain()
        server.end()
    }
}
