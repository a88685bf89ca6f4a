// SPDX-License-Identifier: Apache-2.0

import BLECapture
import Synchronization
import Testing

@testable import BLETransport

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why something could not be opened.
private func failure(_ body: () async throws(TransportError) -> Void) async -> TransportError? {
    do throws(TransportError) {
        try await body()
        return nil
    } catch {
        return error
    }
}

@Suite struct AdapterTests {
    /// The rest is proved where there are adapters: Tests/LinuxRadios.
    @Test(.enabled(if: Adapter.all().isEmpty), arguments: [nil, 0] as [Int?])
    func aMachineWithoutAdaptersSaysSo(number: Int?) async {
        let why = await failure { () async throws(TransportError) in
            _ = try await TransportAddress.adapter(number).open(on: TransportLoop())
        }
        let absence: [AdapterError] = number == nil ? [Adapter.absence] : [Adapter.absence, .missing(0)]
        #expect(absence.map { .adapter($0) }.contains(why))
    }

    /// The kernel takes an adapter back when a program lets it go: two seconds of that are waited for.
    @Test(
        arguments: [
            (.inUseBySystem(0), 5, 5), (.inUseByProgram(0), 20, 20), (.notSetUp(0), 21, 20),
            (.missing(0), 1, 0),
            (.notPermitted(program: "lantern"), 1, 0), (.noBluetooth, 0, 0),
        ] as [(AdapterError, Int, Int)])
    func whatMaySoonBeOverIsTriedAgain(fault: AdapterError, failures: Int, pauses: Int) {
        var attempts = 0
        var paused = 0
        var why: AdapterError?
        do throws(AdapterError) {
            try AdapterError.outlast(pause: { paused += 1 }) { () throws(AdapterError) in
                attempts += 1
                if attempts <= failures { throw fault }
            }
        } catch {
            why = error
        }
        #expect(paused == pauses && attempts == pauses + 1)
        #expect(why == (failures > pauses ? fault : nil))
    }

    @Test func eachFaultSaysWhatToDo() {
        let faults: [(AdapterError, String)] = [
            (.otherSystem, "Linux"), (.noBluetooth, "--network host"), (.noAdapter, "plug one in"),
            (.missing(3), "lantern radios"),
            (.notPermitted(program: "/x/lantern"), "cap_net_admin=ep /x/lantern`"),
            (.inUseBySystem(3), "systemctl stop bluetooth"), (.inUseByProgram(3), "another program"),
            (.notSetUp(3), "setting hci3 up"),
            (.blocked(3, isBySwitch: false), "rfkill unblock"), (.blocked(3, isBySwitch: true), "switch"),
            (.unplugged(3), "hci3 was unplugged"), (.failed(3, "no"), "hci3: no"),
        ]
        for (fault, words) in faults {
            #expect(fault.words.contains(words))
            #expect(!fault.words.hasSuffix("."))
            #expect(
                TransportError.adapter(fault).description == "The radio cannot be opened: \(fault.words).")
        }
    }
}

@Suite("Opening over TCP", .timeLimit(.minutes(5)))
struct OpeningTests {
    @Test func aPortWhereNobodyListensSaysSo() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: TransportLoop())
        let port = listener.port
        await listener.close()
        for host in ["127.0.0.1", "localhost"] {
            let address = TransportAddress.tcp(host: host, port: port)
            let why = await failure { () async throws(TransportError) in
                _ = try await address.open(on: TransportLoop())
            }
            #expect(why == .cannotOpen("nothing answers at \(host):\(port)"))
        }
    }

    @Test func aNameThatNobodyHasSaysSo() async {
        let why = await failure { () async throws(TransportError) in
            _ = try await TransportAddress.tcp(host: "no.such.host.invalid", port: 1).open(
                on: TransportLoop())
        }
        #expect(why == .cannotOpen("there is no host no.such.host.invalid"))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "::1"]) func aNameOrAddressIsFound(host: String) async throws
    {
        guard let listener = try? await TCPListener.bind(host: host, port: 0, on: TransportLoop()) else {
            // A machine without IPv6.
            #expect(host == "::1")
            return
        }
        let client = TestEnd(
            try await TransportAddress.tcp(host: host, port: listener.port).open(on: TransportLoop()))
        let server = try #require(await listener.next())
        #expect(server.name.hasPrefix("[") == (server.name.filter { $0 == ":" }.count > 1))
        server.transport.send([1])
        #expect(await client.read(1) == [1])
        await listener.close()
    }

    @Test func connectingIsGivenUpWhenItsTaskIsCancelled() async throws {
        // A listener whose queue is full answers nobody.
        let descriptor = try #require(fullListener())
        let port = localEndpoint(descriptor).port
        let loop = try TransportLoop()
        let opening = Task {
            await failure { () async throws(TransportError) in
                while true {
                    let transport = try await TransportAddress.tcp(host: "127.0.0.1", port: port).open(
                        on: loop)
                    transport.start { _ in withExtendedLifetime(transport) {} }
                }
            }
        }
        opening.cancel()
        #expect(await opening.value == .cannotOpen("it was cancelled"))
        close(descriptor)
    }

    private func fullListener() -> CInt? {
        guard let endpoint = Endpoint.resolve("127.0.0.1", 0, isNumber: true, isToListen: true).first,
            case .open(let descriptor) = listeningSocket(at: endpoint)
        else { return nil }
        listen(descriptor, 0)
        return descriptor
    }

    @Test func aServerTakesItsFirstClientAndTurnsOthersAway() async throws {
        let loop = try TransportLoop()
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let opening = Task {
            try await TCPConnection.accept("127.0.0.1", 0, on: loop) { listening.yield($0) }
        }
        let port = try #require(await ports.first { _ in true })
        let first = try await TestEnd.connect(port)
        let server = TestEnd(try await opening.value)
        for _ in 0..<5 {
            let other = try await TestEnd.connect(port)
            #expect(await other.end().count == 1)
        }
        first.send([1])
        #expect(await server.read(1) == [1])
        first.close()
        #expect(await server.end().count == 1)
        // The port is free by then, and the next one listens anew.
        let again = Task {
            try await TCPConnection.accept("127.0.0.1", port, on: loop) { listening.yield($0) }
        }
        #expect(await ports.first { _ in true } == port)
        let second = try await TestEnd.connect(port)
        let serverAgain = TestEnd(try await again.value)
        second.send([2])
        #expect(await serverAgain.read(1) == [2])
    }

    @Test func waitingForAClientIsGivenUpWhenItsTaskIsCancelled() async throws {
        let loop = try TransportLoop()
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let opening = Task {
            await failure { () async throws(TransportError) in
                _ = try await TCPConnection.accept("127.0.0.1", 0, on: loop) { listening.yield($0) }
            }
        }
        _ = await ports.first { _ in true }
        opening.cancel()
        #expect(await opening.value == .cannotOpen("it was cancelled"))
    }

    @Test func aTakenPortCannotBeListenedAt() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: TransportLoop())
        let address = TransportAddress.tcpListen(host: "127.0.0.1", port: listener.port)
        let why = await failure { () async throws(TransportError) in
            _ = try await address.open(on: TransportLoop())
        }
        #expect(
            why == .cannotOpen("cannot listen at 127.0.0.1:\(listener.port) (\(systemReason(EADDRINUSE)))"))
        await listener.close()
    }

    @Test func aListenerThatNobodyHoldsIsClosed() async throws {
        let loop = try TransportLoop()
        let port = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: loop).port
        await Task(executorPreference: loop) {}.value
        let again = try await TCPListener.bind(host: "127.0.0.1", port: port, on: loop)
        #expect(again.port == port)
    }
}

#if os(Linux)
@Suite("Serial ports", .timeLimit(.minutes(5)))
struct SerialPortTests {
    /// The two ends of a pseudo terminal: a descriptor, and the path of what behaves as a serial port.
    private func terminal() throws -> (CInt, String) {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (isLocked, number): (CInt, CInt) = (0, -1)
        // TIOCSPTLCK and TIOCGPTN.
        #expect(ioctl(descriptor, 0x4004_5431, &isLocked) == 0)
        #expect(ioctl(descriptor, 0x8004_5430, &number) == 0)
        return (descriptor, "/dev/pts/\(number)")
    }

    @Test func octetsPassUnchangedBothWays() async throws {
        let (descriptor, path) = try terminal()
        let port = TestEnd(
            try await TransportAddress.serial(path: path, baud: 1_000_000).open(on: TransportLoop()))
        let other = try TestEnd(DescriptorTransport(descriptor, on: TransportLoop()))
        let all = Array(UInt8.min...UInt8.max)
        port.send(all)
        other.send(all)
        #expect(await other.read(256) == all)
        #expect(await port.read(256) == all)
        // Pulled out.
        other.close()
        let ends = await port.end()
        #expect(ends.count == 1 && ends.first != .some(nil))
    }

    @Test func theyHaveHardwareFlowControl() throws {
        let (descriptor, path) = try terminal()
        let port = try SerialPort.open(path, baud: 115_200)
        var settings = termios()
        #expect(tcgetattr(port, &settings) == 0)
        #expect(settings.c_cflag & SerialPort.flowControl == SerialPort.flowControl)
        close(port)
        close(descriptor)
    }

    @Test func whatIsNoSerialPortSaysSo() async throws {
        let why = await failure { () async throws(TransportError) in
            _ = try await TransportAddress.serial(path: "/dev/null", baud: 9600).open(on: TransportLoop())
        }
        #expect(why == .cannotOpen("/dev/null: it is not a serial port"))
    }
}
#endif
