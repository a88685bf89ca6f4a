// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLEWire
import Testing

@testable import BLESessions
@testable import BluetoothLE

/// Fault 13: what is dropped is a repetition of what waits, never the only report of a device.
@Suite("Floods of advertisements", .manualTime, .timeLimit(.minutes(5)))
struct ScanFloodTests {
    private static func report(_ device: Int, _ isScanResponse: Bool = false, rssi: Int8 = -50)
        -> Advertisement
    {
        Advertisement(
            peer: peer(device), rssi: rssi, isConnectable: true, isScanResponse: isScanResponse,
            data: AdvertisingData([2, 1, 6]))
    }

    private static func peer(_ device: Int) -> Peer {
        Peer(BluetoothAddress(0xC000_0000_0000 + UInt64(device), kind: .random))
    }

    /// A queue of reports, as a class, because what is looked at in an expectation cannot be changed by it.
    private final class Queue {
        private var queue = ReportQueue<Advertisement>()
        var count: Int { queue.count }

        /// - Returns: How many went for it.
        func append(_ report: Advertisement) -> Int {
            queue.append(report, ReportKey(report.peer, isScanResponse: report.isScanResponse))
        }

        func popFirst() -> Advertisement? { queue.popFirst() }
    }

    private final class Filter {
        private var filter: ScanFilter
        init(_ options: ScanOptions) { filter = ScanFilter(options) }
        func passes(_ report: Advertisement) -> Bool { filter.passes(report) }
    }

    @Test func aNewerReportTakesThePlaceOfTheOlderOfItsKind() {
        let queue = Queue()
        for device in 0..<10 {
            #expect(queue.append(Self.report(device)) == 0)
        }
        let newer = Self.report(3, rssi: -20)
        #expect(queue.append(newer) == 1)
        let response = Self.report(3, true)
        #expect(queue.append(response) == 0)
        var received: [Advertisement] = []
        while let report = queue.popFirst() { received.append(report) }
        #expect(received == (0..<10).map { $0 == 3 ? newer : Self.report($0) } + [response])
        #expect(queue.count == 0)
        // Whoever has been taken out waits again like anybody else.
        #expect(queue.append(newer) == 0)
        #expect(queue.popFirst() == newer && queue.popFirst() == nil)
    }

    @Test func ofMoreDevicesThanThereIsRoomForTheOneHeardLongestAgoGoes() {
        let queue = Queue()
        let limit = ReportQueue<Advertisement>.limit
        func append(_ device: Int) -> Int { queue.append(Self.report(device)) }
        for device in 0..<limit { #expect(append(device) == 0) }
        // The first is heard again and stays; the second goes.
        #expect(append(0) == 1)
        #expect(append(limit) == 1)
        #expect(queue.count == limit)
        var received: [Peer] = []
        while let report = queue.popFirst() { received.append(report.peer) }
        #expect(received == ([0] + (2...limit)).map(Self.peer))
    }

    /// The places of those that have gone do not pile up, and the order is that of a list that is searched.
    @Test func itDoesWhatAListWouldDo() {
        let queue = Queue()
        var list: [Advertisement] = []
        var random = SplitMix64(seed: 13)
        for step in 0..<60_000 {
            if random.next() % 8 < 3 {
                #expect(queue.popFirst() == (list.isEmpty ? nil : list.removeFirst()))
            } else {
                let report = Self.report(Int(random.next() % 300), rssi: Int8(step % 100) - 100)
                let dropped = queue.append(report)
                if let place = list.firstIndex(where: { $0.peer == report.peer }) {
                    list[place] = report
                    #expect(dropped == 1)
                } else {
                    list.append(report)
                    #expect(dropped == 0)
                }
            }
            #expect(queue.count == list.count)
        }
    }

    @Test func aSessionForgetsWhoWasHeardLongestAgo() {
        var memory = AdvertisementMerger()
        func name(of device: Int, heard data: [UInt8] = []) -> WireText? {
            var report = Self.report(device)
            report.data = AdvertisingData(data)
            return memory.merge(report).name
        }
        for device in 0..<AdvertisementMerger.limit { _ = name(of: device, heard: [2, 9, 0x41]) }
        // The first one was heard again, so the second one makes room.
        #expect(name(of: 0) == "A")
        #expect(name(of: AdvertisementMerger.limit) == nil)
        #expect(name(of: 0) == "A" && name(of: 2) == "A")
        #expect(name(of: 1) == nil)
    }

    @Test func aFilterForgetsWhoWasHeardLongestAgo() {
        let filter = Filter(ScanOptions(duplicates: .coalesced))
        for device in 0..<ScanFilter.peerLimit {
            #expect(filter.passes(Self.report(device)))
            // Who is heard again and again is known, however many others come.
            #expect(filter.passes(Self.report(0)) == false || device == 0)
        }
        #expect(filter.passes(Self.report(0)) == false)
        #expect(filter.passes(Self.report(ScanFilter.peerLimit)))
        // The one heard longest ago has made room; the others are known.
        #expect(filter.passes(Self.report(2)) == false)
        #expect(filter.passes(Self.report(1)))
    }

    /// A radio of the scripted controller that scans, and what has been given to it.
    private static func scanning(_ options: ScanOptions = ScanOptions()) async throws -> (
        ScriptedController, HostRadio, ScanStream
    ) {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        return (controller, host, try await host.radio.scan(options))
    }

    @Test func inBurstsEverybodyAppears() async throws {
        let (controller, host, stream) = try await Self.scanning()
        let (steady, burst) = (1000, 1500)
        var heard: Set<Peer> = []
        var values = stream.makeAsyncIterator()
        var turn = 0
        for _ in 0..<4 {
            // All of a burst comes before the consumer has its turn: each steady device once or twice, newcomers between.
            for _ in 0..<burst {
                let address = 0xC000_0000_0000 + UInt64(turn % steady)
                controller.give(ControllerScript.report(address, isScanResponse: turn % 3 == 0))
                turn += 1
            }
            controller.give(ControllerScript.report(0xD000_0000_0000 + UInt64(turn)))
            while stream.consumer.source.count < 1 { await Task.yield() }
            try await ManualTime.pass(milliseconds: 10)
            while stream.consumer.source.count > 0, let report = try await values.next() {
                heard.insert(report.peer)
            }
        }
        #expect(heard.count == steady + 4)
        await host.close()
    }

    @Test func inAFloodOnlyRepetitionsAreDropped() async throws {
        let (controller, host, stream) = try await Self.scanning()
        // Ten thousand devices, each heard five times, and nobody listens meanwhile.
        for round in 0..<5 {
            for device in 0..<10_000 {
                controller.give(
                    ControllerScript.report(0xC000_0000_0000 + UInt64(device), [2, 1, UInt8(round)]))
            }
            try await ManualTime.pass(milliseconds: 10)
        }
        #expect(stream.droppedCount > 30_000)
        await host.radio.close()
        var last: [Peer: UInt8] = [:]
        var count = 0
        for try await report in stream {
            last[report.peer] = report.data.octets[2]
            count += 1
        }
        #expect(last.count == 10_000 && last.values.allSatisfy { $0 == 4 })
        #expect(count + stream.droppedCount == 50_000)
    }

    /// A key that counts how often it is hashed or compared.
    private struct CountedKey: Hashable {
        final class Count { var work = 0 }
        let number: Int
        let count: Count

        static func == (a: CountedKey, b: CountedKey) -> Bool {
            a.count.work += 1
            return a.number == b.number
        }

        func hash(into hasher: inout Hasher) {
            count.work += 1
            hasher.combine(number)
        }
    }

    /// Boards cost the same a report, whether devices fit them or make room for each other all the time.
    @Test(arguments: [1000, 5000, 20_000]) func aReportCostsTheSameHoweverManyDevicesThereAre(devices: Int) {
        let count = CountedKey.Count()
        var board = RecencyDictionary<CountedKey, Int>(limit: ScanFilter.peerLimit)
        func hear(_ rounds: Int) {
            for number in 0..<rounds * devices {
                board.use(CountedKey(number: number % devices, count: count), default: 0) { $0 += 1 }
            }
        }
        hear(1)
        count.work = 0
        hear(3)
        // One look-up for a device that is known; one more to forget and one to remember where there is no room.
        #expect(Double(count.work) / Double(3 * devices) < 12)
    }
}
