// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import Synchronization
import Testing

/// Whoever waits for a radio is resumed once, whatever happens to it.
@Suite("A radio that fails", .manualTime, .timeLimit(.minutes(5)))
struct RobustRadioTests {
    static let peer = Peer(BluetoothAddress(0xC000_0000_0001, kind: .random))

    enum End: CaseIterable, Sendable {
        case linkLost
        case linkClosedByUs
        case radioClosed
        case transportCut
        case controllerGoneMad
        case hardwareError
    }

    @Test func `what came with the end, but before it, is given out before it`() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        let values = try await host.radio.connect(to: Self.peer).allValues()
        let reports = try await host.radio.scan()
        let pdus = [[0x1B, 3, 0, 1], [0x1B, 3, 0, 2], [0x1B, 5, 0, 3]] as [[UInt8]]
        controller.give(
            pdus.flatMap { ControllerScript.att(1, $0) } + ControllerScript.report(1) + [4, 5, 4, 0, 1, 0, 8]
                + ControllerScript.report(2) + [0x77])
        var received: [[UInt8]] = []
        let linkEnd = await failure { () async throws(BluetoothError) in
            for try await value in values { received.append(value.value) }
        }
        #expect(received == [[1], [2], [3]] && linkEnd == .disconnected(.supervisionTimeout))
        var heard: [UInt64?] = []
        let scanEnd = await failure { () async throws(BluetoothError) in
            for try await report in reports { heard.append(report.peer.address?.value) }
        }
        #expect(heard == [1, 2] && scanEnd != nil)
        await host.close()
    }

    @Test(arguments: End.allCases) func `everybody who waits is resumed once`(_ end: End) async throws {
        let controller = ScriptedController()
        let radio = controller.makeRadio()
        try await radio.start()
        let connection = try await radio.radio.connect(to: Self.peer)
        let values = connection.allValues()
        controller.change { script in
            script.opensLinks = false
            script.completesData = false
        }
        await withTaskGroup(of: BluetoothError?.self) { group in
            group.addTask {
                await failure { () async throws(BluetoothError) in
                    _ = try await connection.read(AttributeHandle(rawValue: 3))
                }
            }
            await controller.sees(0x0A)
            for _ in 0..<3 {
                group.addTask {
                    await failure { () async throws(BluetoothError) in
                        try await connection.write([1], to: AttributeHandle(rawValue: 3))
                    }
                }
            }
            group.addTask {
                await failure { () async throws(BluetoothError) in _ = try await connection.discoverServices()
                }
            }
            // More than there is room for: some wait for room, and end when there is a link no more.
            for _ in 0..<40 {
                group.addTask {
                    _ = await failure { () async throws(BluetoothError) in
                        try await connection.writeWithoutResponse([1], to: AttributeHandle(rawValue: 3))
                    }
                    return .cancelled
                }
            }
            group.addTask {
                _ = await failure { () async throws(BluetoothError) in for try await _ in values {} }
                return await failure { () async throws(BluetoothError) in
                    _ = try await connection.waitUntilDisconnected()
                } ?? .cancelled
            }
            switch end {
            case .linkLost: controller.give([4, 5, 4, 0, 1, 0, 8])
            case .linkClosedByUs: await connection.disconnect()
            case .radioClosed: await radio.close()
            case .transportCut: controller.cut()
            case .controllerGoneMad: controller.give([0x77])
            case .hardwareError: controller.give([4, 0x10, 1, 1])
            }
            for await failure in group { #expect(failure != nil, "every operation fails") }
        }
        await radio.close()
        await radio.close()
        for await _ in await radio.radio.states() {}
    }

    @Test(arguments: [End.radioClosed, .transportCut, .hardwareError])
    func `an attempt to connect and a scan end with the radio`(_ end: End) async throws {
        let controller = ScriptedController()
        controller.change { $0.opensLinks = false }
        let radio = controller.makeRadio()
        try await radio.start()
        let states = await radio.radio.states()
        async let attempt = failure { () async throws(BluetoothError) in
            _ = try await radio.radio.connect(to: Self.peer, ConnectOptions(timeout: .seconds(3600)))
        }
        switch end {
        case .transportCut: controller.cut()
        case .hardwareError: controller.give([4, 0x10, 1, 1])
        default: await radio.close()
        }
        #expect(await attempt != nil)
        await radio.close()
        for await _ in states {}
    }

    @Test func `a radio that is closed while it opens lets its transport go`() async throws {
        let controller = ScriptedController()
        let (opening, began) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let radio = HostRadio(loop: controller.loop) { _ async throws(TransportError) in
            began.yield()
            for await _ in gate { break }
            return controller
        }
        async let start = failure { () async throws(BluetoothError) in _ = try await radio.start() }
        for await _ in opening { break }
        // Somebody else may not start it meanwhile.
        #expect(await failure { () async throws(BluetoothError) in _ = try await radio.start() } != nil)
        await radio.close()
        open.yield()
        #expect(await start != nil)
        #expect(controller.isCut)
    }

    @Test func `a peer that answers late, twice and wrongly does no harm`() async throws {
        let controller = ScriptedController()
        let radio = controller.makeRadio()
        try await radio.start()
        let connection = try await radio.radio.connect(to: Self.peer)
        async let value = connection.read(AttributeHandle(rawValue: 3))
        await controller.sees(0x0A)
        controller.give(ControllerScript.att(1, [0x0B, 7]) + ControllerScript.att(1, [0x0B, 8]))
        controller.give(ControllerScript.att(1, [0x13]))
        #expect(try await value == [7])
        async let next = connection.read(AttributeHandle(rawValue: 5))
        await controller.sees(0x0A)
        controller.give(ControllerScript.att(1, [0x13]) + ControllerScript.att(1, [0x0B, 9]))
        #expect(try await next == [9])
        await radio.close()
    }

    static let phyRefusals: [(status: UInt8, phy: PHY, error: BluetoothError)] = [
        (0x11, .le2M, .unsupported(.twoMegabitPHY)), (0x11, .leCoded, .unsupported(.codedPHY)),
        (0x11, .le1M, .refusedByRadio("its controller cannot do what was asked for")),
        (0x01, .le2M, .unsupported(.phy)),
        (0x1A, .le2M, .notOffered("the device's controller cannot do that")),
    ]

    @Test(arguments: 0..<5) func `whose controller lacks a PHY is said`(_ index: Int) async throws {
        let (status, phy, error) = Self.phyRefusals[index]
        let controller = ScriptedController()
        controller.change { $0.phyStatus = status }
        let radio = controller.makeRadio()
        try await radio.start()
        #expect(await radio.radio.capabilities.isDisjoint(with: [.codedPHY, .twoMegabitPHY]))
        let connection = try await radio.radio.connect(to: Self.peer)
        await #expect(throws: error) { _ = try await connection.setPHY(tx: [phy], rx: []) }
        await radio.close()
    }
}

/// A host whose transport ends while it starts.
@Suite("A port that goes away", .timeLimit(.minutes(5)))
struct CutPortTests {
    /// How many octets a controller sends until the host is ready.
    private static func startupLength(on loop: TransportLoop) async throws -> Int {
        let controller = ScriptedController(on: loop)
        let radio = controller.makeRadio()
        try await radio.start()
        let count = controller.givenCount
        await radio.close()
        return count
    }

    @Test(.manualTime) func `a start that is cut at any octet is taken up again`() async throws {
        let total = try await Self.startupLength(on: ManualTime.loop)
        #expect(total > 100)
        for cut in 0..<total {
            let left = Mutex(cut)
            try await Self.startsAgain(cut, on: ManualTime.loop) { loop in
                let (host, controller) = TransportPair.make(loop, loop)
                // The first connection alone is cut.
                let limit = left.withLock { left in
                    defer { left = .max }
                    return left
                }
                Task(executorPreference: loop) { await Self.serve(controller, upTo: limit) }
                return host
            }
        }
    }

    /// On threads and sockets, as they are outside of tests.
    @Test func `TCP that is cut while a host starts is taken up again`() async throws {
        let total = try await Self.startupLength(on: try TransportLoop())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for cut in [0, 1, total / 2, total - 1] {
                group.addTask { try await Self.startCutOverTCP(after: cut) }
            }
            try await group.waitForAll()
        }
    }

    /// A controller behind a TCP port whose first connection ends after so many octets.
    private static func startCutOverTCP(after cut: Int) async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: try TransportLoop())
        let server = Task {
            var left = cut
            while let client = await listener.next() {
                await serve(client.transport, upTo: left)
                left = .max
            }
        }
        try await startsAgain(cut, on: try TransportLoop()) { (loop) async throws(TransportError) in
            try await TransportAddress.tcp(host: "127.0.0.1", port: listener.port).open(on: loop)
        }
        server.cancel()
        await listener.close()
    }

    /// Starts a radio whose first connection is cut, and waits until it is ready.
    private static func startsAgain(
        _ cut: Int, on loop: TransportLoop,
        _ open: @escaping @Sendable (TransportLoop) async throws(TransportError) -> any Transport
    ) async throws {
        let radio = HostRadio(loop: loop, open: open)
        let first = await failure { () async throws(BluetoothError) in _ = try await radio.start() }
        #expect(first != nil, "after \(cut) octets it cannot be ready")
        var isReady = false
        for await state in await radio.radio.states() where state == .ready {
            isReady = true
            break
        }
        #expect(isReady, "it is not taken up again after \(cut) octets")
        await radio.close()
    }

    /// Plays a controller until its host has gone, or so many octets have been sent.
    private static func serve(_ host: any Transport, upTo limit: Int) async {
        let state = Mutex((script: ControllerScript(), left: limit))
        await withCheckedContinuation { ended in
            host.start { [unowned host] input in
                switch input {
                case .octets(let octets):
                    let (answer, isOver) = state.withLock { state in
                        let answer = state.script.receive(octets).answer.prefix(state.left)
                        state.left -= answer.count
                        return (Array(answer), state.left == 0)
                    }
                    host.send(answer)
                    if isOver { host.close() }
                case .ended: ended.resume()
                }
            }
            if limit == 0 { host.close() }
        }
    }
}
