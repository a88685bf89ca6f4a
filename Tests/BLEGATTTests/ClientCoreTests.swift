// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private typealias F = LinkFixture
private typealias Core = ClientCore<Int, String>
private let (a, at) = (F.a, F.at)

/// A core with what it gives, in words.
private final class CoreBench {
    var core: Core
    var requests: [(id: UInt32, action: ClientRequest)] = []

    // #expect cannot look into what is not copyable.
    var isIdle: Bool { core.isIdle }
    var isOver: Bool { core.isOver }
    var peer: Peer? { core.peer }
    var mtu: Int { core.mtu }
    var name: WireText? { core.name }
    var nextDeadline: HostInstant? { core.nextDeadline }
    func isUnderWay(_ number: Int) -> Bool { core.isUnderWay { $0 == number } }
    func isWaiting(_ number: Int) -> Bool { core.isWaiting { $0 == number } }

    var services = F.fitting

    init(hasName: Bool = true, reconnects: Bool = true, steps: Int = 4) {
        core = Core(F.configuration(reconnects: reconnects))
        if hasName {
            services.append(
                GATT.Service(
                    uuid: BluetoothUUID(0x1800), handle: 0x2E, endHandle: 0x30,
                    characteristics: [
                        .init(
                            uuid: BluetoothUUID(0x2A00), handle: 0x2F, valueHandle: 0x30, endHandle: 0x30,
                            properties: .read)
                    ]))
        }
        let inputs: [ClientInput] = [
            .radio(.ready), F.heard(a, offers: true), .connected(a, mtu: 100), .discovered(services),
        ]
        for input in inputs[..<steps] { _ = receive(input) }
    }

    func receive(_ input: ClientInput, _ milliseconds: UInt64 = 0) -> [String] {
        core.receive(input, at: at(milliseconds))
        return steps(milliseconds)
    }

    /// Each step and each output as a word.
    func steps(_ milliseconds: UInt64 = 0) -> [String] {
        var words: [String] = []
        while let step = core.nextStep(at: at(milliseconds)) {
            switch step {
            case .report(let report): words.append(report.state.description)
            case .discovered: words.append("discovered")
            case .fits: words.append("fits")
            case .mtu(let mtu): words.append("mtu \(mtu)")
            case .named: words.append("named \(core.name?.string ?? "-")")
            case .value(_, let octets): words.append("value \(octets.hexadecimal)")
            case .completed(let request, .success(let octets)):
                words.append("\(request) done \(octets.hexadecimal)")
            case .completed(let request, .failure(let failure)): words.append("\(request) \(failure)")
            case .lost(let requests): words.append("lost \(requests)")
            case .finished: words.append("over")
            }
        }
        while let output = core.nextOutput() {
            switch output {
            case .action(.request(let id, let action)): requests.append((id, action))
            case .action, .event: break
            case .finished: words.append("finished")
            }
        }
        return words
    }

    func answer(_ result: Result<[UInt8], GATTRequestError>, _ milliseconds: UInt64 = 0) -> [String] {
        receive(.completed(id: requests.removeFirst().id, result), milliseconds)
    }

    func reach(_ milliseconds: UInt64) -> [String] {
        core.deadlineReached(at: at(milliseconds))
        return steps(milliseconds)
    }
}

@Suite("What client sessions have in common")
struct ClientCoreTests {
    private let change = ClientInput.servicesChanged(ATT.HandleRange(start: .first, end: .last))

    @Test("From the first advertisement to a device that fits")
    func wayUp() {
        let bench = CoreBench(steps: 1)
        #expect(bench.receive(F.heard(a, offers: true)) == ["connecting"])
        #expect(bench.receive(.connected(a, mtu: 100)) == ["discovering", "mtu 100"])
        #expect(bench.peer == a && bench.mtu == 100 && !bench.isIdle)
        #expect(bench.receive(.discovered(F.fitting)) == ["discovered", "fits"])
        #expect(bench.isIdle)
        bench.core.ready(at: .zero)
        #expect(bench.steps() == ["connected"])
        #expect(bench.receive(.mtuChanged(200)) == ["mtu 200"])
        #expect(bench.receive(.value(1, [7], .notify)) == ["value 07"])
    }

    @Test("Requests go one after the other, and one may go first")
    func order() {
        let bench = CoreBench()
        bench.core.request(1, .read(1))
        bench.core.request(2, .read(2))
        _ = bench.steps()
        bench.core.request(3, .read(3), first: true)
        _ = bench.steps()
        #expect(bench.requests.map(\.action) == [.read(1)])
        #expect(bench.isUnderWay(1) && bench.isWaiting(2))
        #expect(!bench.isWaiting(1) && !bench.isUnderWay(2))
        #expect(bench.answer(.success([9])) == ["1 done 09"])
        #expect(bench.requests.map(\.action) == [.read(3)])
        #expect(bench.answer(.failure(.tooLong)) == ["3 \(GATTRequestError.tooLong)"])
        #expect(bench.requests.map(\.action) == [.read(2)])
        #expect(bench.answer(.success([])) == ["2 done "])
        #expect(bench.isIdle)
    }

    @Test("What waits when the link is lost ends with it, once")
    func lost() {
        let bench = CoreBench()
        for number in 1...3 { bench.core.request(number, .read(1)) }
        _ = bench.steps()
        #expect(bench.answer(.failure(.disconnected)).isEmpty)
        #expect(bench.receive(.disconnected(.closedByPeer)) == ["lost [1, 2, 3]", "disconnected"])
        #expect(bench.peer == nil)
        bench.core.request(4, .read(1))
        #expect(bench.steps() == ["4 \(GATTRequestError.disconnected)"])
        #expect(bench.receive(.value(1, [7], .notify)).isEmpty)
    }

    @Test("What waits when services change ends, and answers to it are nobody's")
    func servicesChanged() {
        let bench = CoreBench()
        bench.core.request(1, .read(1))
        _ = bench.steps()
        let old = bench.requests.removeFirst().id
        #expect(bench.receive(change) == ["lost [1]", "discovering"])
        #expect(bench.peer == a && bench.mtu == 100)
        #expect(bench.receive(.completed(id: old, .success([]))).isEmpty)
        #expect(bench.receive(.discovered(F.fitting)) == ["discovered", "fits"])
        bench.core.request(2, .read(1))
        _ = bench.steps()
        #expect(bench.receive(.completed(id: old, .success([]))).isEmpty)
        #expect(bench.answer(.success([])) == ["2 done "])
    }

    @Test("A request that is never answered ends the link")
    func unanswered() {
        let bench = CoreBench()
        bench.core.ready(at: .zero)
        bench.core.request(1, .read(1))
        _ = bench.steps()
        #expect(bench.nextDeadline == at(40_000))
        #expect(bench.reach(39_999).isEmpty)
        #expect(bench.reach(40_000) == ["lost [1]"])
        #expect(bench.receive(.disconnected(.closedByUs), 40_001) == ["disconnected"])
    }

    @Test("No more than so many requests wait")
    func full() {
        let bench = CoreBench()
        for number in 1...1_000 { bench.core.request(number, .read(1)) }
        let words = bench.steps()
        #expect(words.count == 1_000 - Core.maximumRequests)
        #expect(words.allSatisfy { $0.hasSuffix("\(GATTRequestError.queueFull)") })
    }

    @Test("The name is read, and what has none is named, too", arguments: [true, false])
    func name(hasName: Bool) {
        let bench = CoreBench(hasName: hasName)
        bench.core.readName()
        guard hasName else {
            #expect(bench.steps() == ["named -"])
            return
        }
        #expect(bench.steps().isEmpty)
        #expect(bench.requests.map(\.action) == [.read(0x30)])
        #expect(bench.answer(.success(Array("Lamp".utf8))) == ["named Lamp"])
        bench.core.readName()
        _ = bench.steps()
        #expect(bench.answer(.failure(.refused(.readNotPermitted))) == ["named Lamp"])
        // Another device, or the same with other services, has another name.
        _ = bench.receive(change)
        _ = bench.receive(.discovered(F.fitting))
        #expect(bench.name == nil)
    }

    @Test("A device that has no answer for its name is set up once more without", arguments: [true, false])
    func nameUnanswered(endsLink: Bool) {
        let bench = CoreBench(reconnects: false)
        bench.core.readName()
        #expect(bench.steps().isEmpty)
        #expect(bench.nextDeadline == at(1_000 * Core.nameSeconds))
        if endsLink {
            #expect(bench.receive(.disconnected(.closedByPeer)) == ["lost []", "disconnected"])
        } else {
            #expect(bench.reach(1_000 * Core.nameSeconds) == ["lost []"])
            #expect(bench.receive(.disconnected(.closedByUs), 10_001) == ["disconnected"])
        }
        #expect(!bench.isOver && bench.reach(20_000) == ["scanning"])
        bench.requests = []
        for input in [
            F.heard(a, name: "Lamp", offers: true), .connected(a, mtu: 100), .discovered(bench.services),
        ] { _ = bench.receive(input, 20_000) }
        bench.core.readName()
        #expect(bench.steps(20_000) == ["named Lamp"] && bench.requests.isEmpty)
        // That is done once.
        #expect(
            bench.receive(.disconnected(.closedByPeer), 20_001)
                == ["lost []", "disconnected", "over", "finished"])
    }

    @Test("The end comes last, after what is told of it")
    func end() {
        let bench = CoreBench()
        bench.core.request(1, .read(1))
        _ = bench.steps()
        bench.core.close(at: .zero)
        #expect(bench.steps() == ["lost [1]"])
        #expect(bench.receive(.disconnected(.closedByUs)) == ["disconnected", "over", "finished"])
        #expect(bench.isOver && bench.nextDeadline == nil)
        #expect(bench.receive(.radio(.ready)).isEmpty)
    }
}
