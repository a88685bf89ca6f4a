// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import SessionTesting
import Testing

@Suite("What a device that is explored says wrongly, or not to its end")
struct ExplorerFaultTests {
    /// An explorer whose link a test is.
    private final class Bench {
        let job: Job<ExplorerJob>
        private(set) var requests: [(id: UInt32, request: ClientRequest)] = []
        private(set) var completed: [Int64: Result<JobAnswer, HubError>] = [:]
        private(set) var discoveries = 0

        init() {
            var table = JobTable.fresh
            job = table.beginExplorer(.tested, mayWrite: false, at: .beginning)
            receive(.radio(.ready))
            receive(.connected(HubDevice.tested.peer, mtu: 100))
        }

        var explorer: HubExplorer { job.machine.explorer }
        var tree: GATTTree? { job.machine.tree }
        var newest: ExplorerValue? { job.machine.log.values(of: nil, before: nil, limit: 1).first }

        func receive(_ input: ClientInput) {
            job.receive(input, at: .beginning)
            drain()
        }

        func update(_ body: (inout ExplorerJob) throws(HubError) -> Void) throws(HubError) {
            try job.update(body)
            drain()
        }

        /// Answers the request that is under way.
        func answer(_ result: Result<[UInt8], GATTRequestError>, cutShortBy failure: GATTRequestError? = nil)
        {
            receive(.completed(id: requests.removeFirst().id, result, cutShortBy: failure))
        }

        /// Answers what is read until this is next.
        func answer(before handle: AttributeHandle) {
            while let next = requests.first, next.request != .read(handle) { answer(.success([8])) }
        }

        /// Answers all that is read at first.
        func answerAll() { while !requests.isEmpty { answer(.success([1])) } }

        private func drain() {
            while let action = job.nextAction(at: .beginning) {
                if case .request(let id, let request) = action { requests.append((id, request)) }
                if action == .discover { discoveries += 1 }
            }
            while let output = job.nextOutput() {
                if case .completed(let request, let result) = output { completed[request.id] = result }
            }
        }
    }

    private let services = GATT.Database(Gadget().services).discovered()

    private func handle(_ uuid: BluetoothUUID) throws -> AttributeHandle {
        try #require(services.characteristic(uuid)).valueHandle
    }

    @Test func whatItHasSaidWronglyIsSaidAndTheRestIsRead() {
        let bench = Bench()
        let fault = GATT.DiscoveryViolation(.descriptors, at: 9, .outOfRange)
        bench.receive(.discovered(services, faults: [fault]))
        #expect(bench.tree?.faults == [fault] && bench.tree?.ending == nil)
        #expect(
            bench.explorer.trouble
                == "The device has not said well what it has: \(fault.sentencePart). The rest is shown.")
        #expect(bench.explorer.step == .reading && !bench.requests.isEmpty)
        bench.answerAll()
        #expect(bench.explorer.step == .ready && bench.explorer.progress.read == bench.explorer.progress.all)
    }

    @Test(arguments: [GATTRequestError.timeout, .disconnected])
    func whereItHasFallenSilentTheTreeEnds(_ failure: GATTRequestError) {
        let bench = Bench()
        bench.receive(
            .discovered(services, faults: [GATT.DiscoveryViolation(.characteristics, at: 5, .ended(failure))])
        )
        #expect(bench.explorer.step == .ready && bench.requests.isEmpty)
        #expect(bench.tree?.ending?.handle == 5 && bench.tree?.ending?.isTimeout == (failure == .timeout))
    }

    @Test(arguments: [GATTRequestError.timeout, .disconnected])
    func whatWasReadBeforeTheLinkEndedStays(_ failure: GATTRequestError) throws {
        let bench = Bench()
        bench.receive(.discovered(services))
        let (first, second) = (try handle(Gadget.place), try handle(Gadget.level))
        bench.answer(before: first)
        bench.answer(.success([7]))
        bench.answer(before: second)
        bench.answer(.failure(failure))
        #expect(bench.explorer.step == .ready && bench.requests.isEmpty)
        let tree = try #require(bench.tree), secret = try handle(Gadget.secret)
        #expect(tree[first].octets == [7] && tree.ending?.handle == second)
        #expect(tree.ending?.isTimeout == (failure == .timeout))
        #expect(tree[secret].error == "not read: the link had ended")
    }

    @Test func aFirstPartOfAValueIsShownAsSuch() throws {
        let bench = Bench()
        bench.receive(.discovered(services))
        let place = try handle(Gadget.place)
        bench.answer(before: place)
        bench.answer(.success([1, 2]), cutShortBy: .refused(.invalidOffset))
        #expect(bench.tree?[place].incomplete?.hasPrefix("the device refused to read on") == true)
        #expect(bench.tree?.ending == nil && bench.explorer.step == .reading)
        bench.answerAll()
        try bench.update { explorer throws(HubError) in
            try explorer.read(place, for: JobRequest(id: 1), at: .beginning)
        }
        bench.answer(.success([1, 2, 3]), cutShortBy: .timeout)
        guard case .success(.value(let value))? = bench.completed[1] else {
            Issue.record("it was not answered")
            return
        }
        #expect(value.octets == [1, 2, 3] && value.incomplete == "the device did not answer in time")
        #expect(bench.newest?.incomplete == value.incomplete)
    }

    @Test func aFirstPartThatIsTheLastThingThatCameEndsTheTree() throws {
        let bench = Bench()
        bench.receive(.discovered(services))
        let place = try handle(Gadget.place)
        bench.answer(before: place)
        bench.answer(.success([1, 2]), cutShortBy: .timeout)
        let tree = try #require(bench.tree)
        #expect(tree[place].octets == [1, 2] && tree.ending?.handle == place && bench.requests.isEmpty)
        #expect(bench.explorer.step == .ready)
    }

    @Test func whatNothingSwitchesOnIsNoted() throws {
        var bare = services
        for service in bare.indices {
            for one in bare[service].characteristics.indices {
                bare[service].characteristics[one].descriptors = []
            }
        }
        let bench = Bench(), rate = try handle(Gadget.rate)
        bench.receive(.discovered(bare))
        bench.answerAll()
        try bench.update { explorer throws(HubError) in
            try explorer.watch(rate, isOn: true, for: JobRequest(id: 1), at: .beginning)
        }
        bench.answer(.success([]))
        #expect(bench.explorer.watched == [Int(rate.rawValue)])
        #expect(bench.explorer.changes.last?.text.contains("2902") == true)
    }

    @Test func valuesOfOneAttributeAreCountedApart() throws {
        let bench = Bench()
        bench.receive(.discovered(services))
        bench.answerAll()
        let (rate, level) = (try handle(Gadget.rate), try handle(Gadget.level))
        for _ in 0..<3 { bench.receive(.value(rate, [0, 70], .notify)) }
        bench.receive(.value(level, [80], .notify))
        let log = bench.job.machine.log
        #expect(log.total(of: nil) == 4 && log.total(of: Int(rate.rawValue)) == 3)
        #expect(log.total(of: Int(level.rawValue)) == 1 && log.total(of: 70_000) == 0)
    }

    // MARK: Pairing

    @Test func aRadioThatCannotPairSaysSo() {
        let bench = Bench()
        #expect(throws: HubError.self) {
            try bench.update { explorer throws(HubError) in try explorer.beginPairing() }
        }
        #expect(!bench.explorer.isPairing)
    }

    @Test func whileItIsPairedItIsNotLeftAndThenAllIsReadAnew() throws {
        let bench = Bench()
        bench.receive(.discovered(services))
        bench.answerAll()
        try bench.update { explorer throws(HubError) in
            explorer.change { $0.canPair = true }
            try explorer.beginPairing()
        }
        #expect(bench.explorer.isPairing && bench.job.machine.isUnderWay)
        #expect(throws: HubError.notNow("The device is being paired already.")) {
            try bench.update { explorer throws(HubError) in try explorer.beginPairing() }
        }
        try bench.update { explorer throws(HubError) in explorer.endPairing("It was refused.") }
        #expect(bench.explorer.trouble == "It was refused." && bench.discoveries == 1)
        #expect(!bench.explorer.isPairing && !bench.job.machine.isUnderWay)
        try bench.update { explorer throws(HubError) in try explorer.beginPairing() }
        try bench.update { explorer throws(HubError) in explorer.endPairing(nil) }
        #expect(
            bench.explorer.trouble == nil && bench.discoveries == 2 && bench.explorer.step == .discovering)
    }

    @Test func aLinkThatEndsEndsThePairing() throws {
        let bench = Bench()
        try bench.update { explorer throws(HubError) in
            explorer.change { $0.canPair = true }
            try explorer.beginPairing()
        }
        bench.receive(.disconnected(.closedByPeer))
        #expect(bench.explorer.job.phase == .ended && !bench.explorer.isPairing)
    }

    @Test func aJobWhoseLinkIsGivenUpEndsAtOnce() {
        let bench = Bench()
        bench.job.abandon("The radio is gone.", at: .beginning)
        #expect(bench.explorer.job.phase == .ended && bench.explorer.job.reason == "The radio is gone.")
        bench.job.abandon("Once more.", at: .beginning)
        #expect(bench.explorer.job.reason == "The radio is gone.")
    }
}
