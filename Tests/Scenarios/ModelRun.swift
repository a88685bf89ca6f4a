// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire

/// A promise of the host that did not hold.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// One step of a run: what to do, and with what; numbers, so that a step means something whatever came before.
struct ModelStep: CustomStringConvertible {
    let kind: Int
    let choice: Int

    var description: String { "\(kind):\(choice)" }
}

/// A host, its application and its controller, and what the host has promised.
final class ModelRun {
    private var stack: HostStack
    private var controller: ModelController
    private var now = HostInstant.zero

    // What the application wants and has been told.
    private var isOn = false
    private var wantsScan = false
    private var wantsAdvertising: [UInt8]?
    private var knowsAdvertising: Bool?
    private var stopsServing = 0
    private var stops = 0
    private var attempts: [UInt8: Int] = [:]
    private var operations: Set<String> = []
    private var links: [(id: LinkID, isPeripheral: Bool)] = []

    init(isExtended: Bool, isCounting: Bool) {
        controller = ModelController(isExtended: isExtended)
        stack = HostStack(
            HostConfiguration(maximumCentrals: 2, limits: HostLimits(unconsumedEvents: isCounting ? 20 : nil))
        )
    }

    /// Runs some steps, then makes all well and looks whether every promise was kept.
    static func run(_ steps: [ModelStep], habits: Int) throws(BrokenPromise) {
        let run = ModelRun(isExtended: habits & 1 != 0, isCounting: habits & 2 != 0)
        try run.start()
        for step in steps {
            try run.perform(step)
            if habits & 12 == 12 { try run.calm(rounds: 3) }
        }
        try run.end()
    }

    private func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
        if !holds { throw BrokenPromise(description: promise()) }
    }

    private func start() throws(BrokenPromise) {
        stack.start(at: now)
        try drain()
        try calm(rounds: 100)
        try check(isOn, "a good controller starts")
    }

    private func link(_ choice: Int) -> LinkID? { links.isEmpty ? nil : links[choice % links.count].id }

    private func perform(_ step: ModelStep) throws(BrokenPromise) {
        let choice = step.choice
        switch step.kind {
        case 0: stack.startScanning(ScanParameters(isActive: choice % 2 == 0), at: now); wantsScan = isOn
        case 1: stack.stopScanning(at: now); if isOn { wantsScan = false }
        case 2: advertise(choice)
        case 3: stack.stopAdvertising(at: now); if isOn { (wantsAdvertising, knowsAdvertising) = (nil, nil) }
        case 4: connect(choice)
        case 5:
            let peer = UInt8(choice % 4)
            stack.cancelConnect(to: ModelController.peer(peer), at: now)
        case 6: if let link = link(choice) { stack.disconnect(link, at: now) }
        case 7: perform(choice)
        case 8: stopServing()
        case 9: if stopsServing == 0 { _ = stack.offer(name: "model", appearance: 0, services: []) }
        case 10 where choice % 4 == 0: if isOn { stops += 1 }; stack.stop(at: now)
        case 10: stack.start(at: now)
        case 11 where choice % 8 == 0: pullOut()
        case 11: if let link = link(choice) { stack.consumed(choice % 5, on: link, at: now) }
        case 12: now = now.advanced(byMilliseconds: UInt64(choice % 2_100)); deadline()
        case 13: if let next = stack.nextDeadline { now = max(now, next) }; deadline()
        case 14...18: controller.proceed(refusing: nil)
        case 19: controller.proceed(refusing: [0x0C, 0x07, 0x12, 0x1F][choice % 4])
        case 20...24: deliver()
        case 25: controller.attemptSucceeds()
        case 26: controller.attemptFails(0x3E)
        case 27: controller.centralConnects()
        case 28:
            let count = controller.links.count
            if count > 0 { controller.linkEnds(at: choice % count, reason: [0x13, 0x08, 0x3E][choice % 3]) }
        case 29: controller.sendData()
        case 30: talk(choice)
        default: controller.setEnds()
        }
        try drain()
    }

    private func advertise(_ choice: Int) {
        let data: [UInt8] = [2, 1, UInt8(choice % 256)]
        stack.startAdvertising(AdvertisingParameters(data: data), at: now)
        // A host that is off says at once that it does not.
        guard isOn else { return }
        (wantsAdvertising, knowsAdvertising) = (data, nil)
    }

    private func connect(_ choice: Int) {
        let peers = choice % 5 == 0 ? [UInt8(choice % 4), 9] : [UInt8(choice % 4)]
        attempts[peers[0], default: 0] += 1
        stack.connect(
            toFirstOf: peers.map(ModelController.peer),
            ConnectParameters(timeoutMilliseconds: UInt64(100 + choice % 3000)), at: now)
    }

    private func perform(_ choice: Int) {
        guard let link = link(choice) else { return }
        if choice % 2 == 0 {
            let operation: GATT.Operation = choice % 4 == 0 ? .read(3) : .write(3, [1])
            if let id = stack.perform(operation, on: link, at: now) {
                operations.insert("operation \(link.rawValue) \(id.rawValue)")
            }
            return
        }
        let all: [LinkProcedure] = [
            .readRSSI, .readRemoteVersion,
            .updateParameters(
                ConnectionParameterRange(
                    intervalMin: ConnectionInterval(rawValue: 8),
                    intervalMax: ConnectionInterval(rawValue: 16),
                    latency: 0, supervisionTimeout: SupervisionTimeout(rawValue: 100))),
        ]
        if let id = stack.perform(all[choice / 2 % 3], on: link, at: now) {
            operations.insert("procedure \(link.rawValue) \(id.rawValue)")
        }
    }

    private func stopServing() {
        if stopsServing == 0 { stopsServing = 1 }
        (wantsAdvertising, knowsAdvertising) = (nil, nil)
        stack.stopServing(at: now)
    }

    private func pullOut() {
        controller.pulledOut()
        stack.transportClosed(at: now)
    }

    private func deadline() { stack.deadlineReached(at: now) }

    private func deliver() {
        if let packet = controller.popEvent() { stack.receive(packet, at: now) }
    }

    private func talk(_ choice: Int) {
        guard !controller.links.isEmpty else { return }
        let index = choice % controller.links.count
        switch choice / 8 % 4 {
        case 0: controller.peerAnswers(at: index, isSound: false)
        case 1: controller.att(index, [0x1B, 3, 0, 7])
        case 2: controller.att(index, [0x0A, 3, 0])
        default: controller.peerAnswers(at: index, isSound: true)
        }
    }

    private func drain() throws(BrokenPromise) {
        var count = 0
        while let output = stack.nextOutput() {
            count += 1
            try check(count < 10_000, "outputs come to an end")
            switch output {
            case .send(let packet): controller.receive(packet)
            case .event(let event): try handle(event)
            }
        }
    }

    private func handle(_ event: HostStack.Event) throws(BrokenPromise) {
        switch event {
        case .ready: isOn = true
        case .addressChanged, .addressRefused: break
        case .failed, .stopped: try wentOff(event)
        case .scanFailed: wantsScan = false
        case .advertisingStarted:
            try check(wantsAdvertising != nil, "nobody wanted to advertise")
            try check(knowsAdvertising != true, "advertising starts once")
            knowsAdvertising = true
        case .advertisingFailed:
            try check(knowsAdvertising != false, "advertising fails once")
            if knowsAdvertising == nil { wantsAdvertising = nil } else { knowsAdvertising = false }
        case .servingStopped:
            stopsServing -= 1
            try check(stopsServing == 0, "serving stops once")
            try check(!links.contains { $0.isPeripheral }, "no central is left when serving has stopped")
        case .connected(let id, let role, let peer):
            try check(!links.contains { $0.id == id }, "a link opens once")
            links.append((id, role == .peripheral))
            if role == .central { connected(peer) }
        case .connectFailed(let peer, _):
            let name = UInt8(truncatingIfNeeded: peer.value)
            try check(attempts[name, default: 0] > 0, "an attempt ends once")
            attempts[name, default: 0] -= 1
        case .disconnected(let id, _):
            try check(links.contains { $0.id == id }, "a link ends once")
            links.removeAll { $0.id == id }
            let open = operations.first { $0.split(separator: " ")[1] == "\(id.rawValue)" }
            try check(open == nil, "\(open ?? "") ends before its link")
        case .completed(let link, let id, _):
            // The exchange of the MTU is the host's own: it is the first on its link.
            let isKnown = operations.remove("operation \(link.rawValue) \(id.rawValue)") != nil
            try check(isKnown || id.rawValue == 1, "an operation ends once")
        case .procedureCompleted(let link, let id, _):
            let isKnown = operations.remove("procedure \(link.rawValue) \(id.rawValue)") != nil
            try check(isKnown, "a procedure ends once")
        default: break
        }
    }

    /// A link is the end of an attempt that names its peer; or nobody waits for it any more.
    private func connected(_ peer: BluetoothAddress) {
        let name = UInt8(truncatingIfNeeded: peer.value)
        if let waiting = name == 9 ? attempts.first(where: { $0.value > 0 })?.key : name,
            attempts[waiting, default: 0] > 0
        {
            attempts[waiting, default: 0] -= 1
        }
    }

    private func wentOff(_ event: HostStack.Event) throws(BrokenPromise) {
        isOn = false
        try check(links.isEmpty, "no link is left when the host is off")
        try check(operations.isEmpty, "\(operations.first ?? "") ends before the host is off")
        try check(attempts.values.allSatisfy { $0 == 0 }, "every attempt ends before the host is off")
        if case .stopped = event {
            try check(stopsServing == 0, "serving has stopped before the host")
            try check(controller.commands.isEmpty, "every command is answered before the host has stopped")
            try check(
                controller.links.isEmpty && !controller.isScanning && !controller.isAdvertising
                    && controller.wanted.isEmpty, "nothing is left on the air when the host has stopped")
        }
        // Whoever runs a host that has failed closes its transport.
        if case .failed = event { controller.pulledOut() }
        (wantsScan, wantsAdvertising, knowsAdvertising, stopsServing, stops) = (false, nil, nil, 0, 0)
    }

    /// A controller and peers that do what they should, for a while.
    private func calm(rounds: Int) throws(BrokenPromise) {
        for _ in 0..<rounds {
            controller.proceed(refusing: nil)
            deliver()
            try drain()
        }
    }

    private func settle() throws(BrokenPromise) {
        for _ in 0..<5_000 {
            for index in controller.links.indices { controller.peerAnswers(at: index, isSound: true) }
            controller.sendData()
            guard !controller.isQuiet else { return }
            controller.proceed(refusing: nil)
            deliver()
            try drain()
        }
        throw BrokenPromise(description: "host and controller come to rest")
    }

    private func pass(seconds: UInt64) throws(BrokenPromise) {
        let end = now.advanced(bySeconds: seconds)
        try settle()
        var count = 0
        while let next = stack.nextDeadline, next <= end {
            count += 1
            try check(count < 2_000, "deadlines come to an end")
            now = max(now, next)
            deadline()
            try drain()
            try settle()
        }
        now = end
    }

    private func end() throws(BrokenPromise) {
        try pass(seconds: 120)
        try check(stopsServing == 0, "serving has stopped in the end")
        try check(stops == 0 || !isOn, "the host has stopped in the end")
        if isOn {
            try check(operations.isEmpty, "\(operations.first ?? "") ends")
            try check(attempts.values.allSatisfy { $0 == 0 }, "every attempt ends: \(attempts)")
            try check(controller.wanted.isEmpty, "the controller opens no link that nobody waits for")
            try check(controller.isScanning == wantsScan, "the scan is on if it is wanted: \(wantsScan)")
            let centrals = links.count { $0.isPeripheral }
            if let wantsAdvertising {
                try check(knowsAdvertising == true, "what is wanted on the air is told in the end")
                try check(
                    controller.isAdvertising == (centrals < 2),
                    "advertising is on beside \(centrals) centrals")
                try check(controller.data == wantsAdvertising, "the last data are on the air")
            } else {
                try check(!controller.isAdvertising, "advertising that nobody wants is off")
            }
            try check(controller.links.count == links.count, "the host knows the controller's links")
            stack.stop(at: now)
            try drain()
            try pass(seconds: 60)
        }
        try check(!isOn, "the host stops")
        try check(stack.nextDeadline == nil, "nothing is waited for after the end")
    }
}
