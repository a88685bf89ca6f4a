// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLEWire
import BluetoothLE

/// Whether this side is a peripheral.
enum Serving {
    case off
    case on(HostServer)
    /// The server's links are coming to their end.
    case stopping
}

extension HostRadio {
    package nonisolated func serve(
        _ description: ServerDescription
    ) async throws(BluetoothError) -> any ServerBackend { try await offer(description) }

    private func offer(_ description: ServerDescription) async throws(BluetoothError) -> HostServer {
        try await waitUntilServingStopped()
        try checkIsReady()
        guard case .off = serving else {
            throw .invalidArgument("This radio serves already; stop that first.")
        }
        let isOffered =
            switch description.attributes {
            case .services(let services, let appearance):
                stack.offer(
                    name: description.name, appearance: appearance,
                    services: services.map { $0.protected(agent?.serverProtection ?? .none) })
            case .database(let database): stack.offer(database: database)
            }
        guard isOffered else { throw .refusedByRadio("a central is still connected") }
        for link in links.keys { links[link]?.forgetServer() }
        let server = HostServer(self, description)
        serving = .on(server)
        guard description.isAdvertised else { return server }
        do throws(BluetoothError) {
            try await advertise(description.advertisement, for: server)
        } catch {
            stopServing(server, nil)
            drain()
            throw error
        }
        return server
    }

    private func waitUntilServingStopped() async throws(BluetoothError) {
        guard case .stopping = serving else { return }
        _ = try await wait { radio in
            if case .stopping = radio.serving { .waiting(.servingStopped) } else { .nothing }
        }
    }

    private func isRunning(_ server: HostServer) -> Bool {
        if case .on(let running) = serving { running === server } else { false }
    }

    var database: GATT.Database { stack.database }

    // MARK: Advertising

    /// Changes what is advertised, after the change before.
    func advertise(_ advertisement: DeviceAdvertisement?, for server: HostServer) async throws(BluetoothError)
    {
        // Whoever has to wait looks again whether it is their turn.
        while case .nothing = try await change(advertisement, for: server) {}
    }

    /// Advertises no more, after the change before.
    func stopAdvertising(for server: HostServer) async throws(BluetoothError) {
        var hasStopped = false
        while !hasStopped {
            let result = try await wait { radio in
                guard radio.isRunning(server) else {
                    return .over(.failure(.invalidArgument("The server was stopped.")))
                }
                guard !radio.isAdvertisingChanging else { return .waiting(.advertisingTurn) }
                radio.stack.stopAdvertising(at: radio.loop.now)
                return .over(.success(.wasSent(true)))
            }
            if case .wasSent = result { hasStopped = true }
        }
    }

    /// Changes what is advertised, or waits until it can be changed.
    ///
    /// - Returns: Nothing when it has only waited.
    private func change(
        _ advertisement: DeviceAdvertisement?, for server: HostServer
    ) async throws(BluetoothError) -> WaitResult {
        try await wait { radio in
            guard radio.isRunning(server) else {
                return .over(.failure(.invalidArgument("The server was stopped.")))
            }
            guard !radio.isAdvertisingChanging else { return .waiting(.advertisingTurn) }
            do throws(BluetoothError) {
                let parameters = try radio.parameters(advertisement, server)
                radio.isAdvertisingChanging = true
                radio.stack.startAdvertising(parameters, at: radio.loop.now)
                return .waiting(.advertising)
            } catch {
                return .over(.failure(error))
            }
        }
    }

    private func parameters(
        _ advertisement: DeviceAdvertisement?, _ server: HostServer
    ) throws(BluetoothError) -> AdvertisingParameters {
        let content = server.description.completed(advertisement)
        let parameters = AdvertisingParameters(
            data: content.data, scanResponse: content.scanResponse,
            isConnectable: server.description.isConnectable)
        let controller = stack.controller
        guard parameters.fits(controller) else {
            let octets =
                controller.usesExtendedCommands
                ? parameters.data.count + parameters.scanResponse.count
                : max(parameters.data.count, parameters.scanResponse.count)
            throw .tooLong(octets: octets, limit: controller.maximumAdvertisingDataLength)
        }
        return parameters
    }

    /// What is wanted on the air is there, or is not.
    func advertisingChanged(_ error: BluetoothError?) {
        guard isAdvertisingChanging else {
            guard case .on(let server) = serving else { return }
            server.state.source.yield(error.map { .advertisingStopped($0) } ?? .advertisingResumed, &wakeUps)
            return
        }
        isAdvertisingChanging = false
        waiters.resume(.advertising, error.map { .failure($0) } ?? .success(.wasSent(true)))
        waiters.resumeFirst(.advertisingTurn, .success(.nothing))
    }

    // MARK: The end

    /// Stops a server and waits until its links are gone.
    func stop(_ server: HostServer) async {
        stopServing(server, nil)
        drain()
        try? await waitUntilServingStopped()  // Cancelled means not waited for.
    }

    /// Begins to stop a server.
    private func stopServing(_ server: HostServer, _ error: BluetoothError?) {
        guard isRunning(server) else { return }
        serving = .stopping
        endServer(server, error)
        stack.stopServing(at: loop.now)
    }

    private func endServer(_ server: HostServer, _ error: BluetoothError?) {
        server.state.end(error)
        isAdvertisingChanging = false
        waiters.fail(error ?? .invalidArgument("The server was stopped.")) {
            $0 == .advertising || $0 == .advertisingTurn
        }
    }

    /// The radio goes off or is closed, and the server with it.
    func endServing(_ error: BluetoothError?) {
        if case .on(let server) = serving { endServer(server, error) }
        serving = .off
        waiters.resume(.servingStopped, .success(.nothing))
    }

    func servingStopped() {
        guard case .stopping = serving else { return }
        serving = .off
        waiters.resume(.servingStopped, .success(.nothing))
    }
}
