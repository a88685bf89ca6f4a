// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
package import Companion
import CompanionText
import Improv
import ImprovCompanion
import WiFiSet
import WiFiSetCompanion

/// Gives a device its Wi-Fi for a page: lists networks, sends credentials as often as it takes, and tells each step.
///
/// A device that turns out not to speak the protocol that it is taken for is connected to once more, with the other one.
package struct WiFiJob: JobMachine, ~Copyable {
    /// How far it is.
    package private(set) var setup: WiFiSetup
    /// What the device hears, folded, the strongest first.
    package private(set) var networks: [FoldedNetwork] = []
    /// How many of the networks that it hears hide their name.
    package private(set) var hiddenCount = 0
    /// The session of the protocol that is tried; the other one is `nil`.
    private var wifiSet: JobSession<WiFiSetClient>?
    private var improv: JobSession<ImprovClient>?
    private var isSecondTry = false
    /// How long the device is looked for, in seconds.
    private let patience: UInt64
    private let seed: UInt64
    private var device: WiFiDevice?
    private var tried = 0
    private var steps = FIFO<JobStep>()

    /// Makes a machine that is about to look for the device.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - services: What the device says that it offers, if it does.
    ///   - patience: How long the device is looked for, in seconds.
    ///   - seed: What its pauses are made from.
    ///   - moment: The moment.
    init(
        _ job: DeviceJob, services: [BluetoothUUID], lookingFor patience: UInt64, seed: UInt64,
        at moment: Moment
    ) {
        setup = WiFiSetup(job)
        self.patience = patience
        self.seed = seed
        // One that says that it is the other is not connected to twice.
        open(services.contains(ImprovUUID.service) ? .improv : .wifiSet, at: moment)
    }

    package static func job(in job: AnyJob) -> Job<Self>? { job.wifi }

    package var isUnderWay: Bool { setup.attempt.map { !$0.step.isOver } ?? false }
    package var nextDeadline: HostInstant? {
        .earliest(Self.deadline(of: wifiSet), Self.deadline(of: improv))
    }
    package var shown: WiFiSetup { setup }
    package var event: JobEvent { .wifi(WiFiSetupChanged(setup)) }

    private static func deadline<Session: WiFiSession & ~Copyable>(
        of session: borrowing JobSession<Session>?
    ) -> HostInstant? {
        switch session {
        case .some(let session): session.nextDeadline
        case .none: nil
        }
    }

    package mutating func countChange() { setup.revision += 1 }

    package mutating func show(_ job: DeviceJob, at moment: Moment) {
        setup.job = job
        guard job.phase == .ended else { return }
        setup.end(job.reason ?? "It was ended before it was done.", at: moment.time)
        device = nil
    }

    package mutating func close(at moment: Moment) {
        wifiSet?.close(at: moment.now)
        improv?.close(at: moment.now)
    }

    package mutating func receive(_ input: ClientInput, at moment: Moment) {
        wifiSet?.receive(input, at: moment.now)
        improv?.receive(input, at: moment.now)
    }

    package mutating func deadlineReached(at moment: Moment) {
        wifiSet?.deadlineReached(at: moment.now)
        improv?.deadlineReached(at: moment.now)
    }

    package mutating func nextStep(at moment: Moment) -> JobStep? {
        while true {
            if let step = steps.popFirst() { return step }
            if let output = wifiSet?.nextOutput() {
                take(WiFiOutput(output), at: moment)
            } else if let output = improv?.nextOutput() {
                take(WiFiOutput(output), at: moment)
            } else {
                return nil
            }
        }
    }

    // MARK: The link

    private mutating func open(_ kind: WiFiProtocol, at moment: Moment) {
        let target = DeviceLink.Target.peer(setup.job.peer)
        if kind == .improv {
            wifiSet = nil
            improv = JobSession(ImprovClient(wifiTarget: target, seed: seed), lookingFor: patience)
        } else {
            improv = nil
            wifiSet = JobSession(WiFiSetClient(wifiTarget: target, seed: seed), lookingFor: patience)
        }
    }

    private mutating func take(_ output: WiFiOutput, at moment: Moment) {
        switch output {
        case .action(let action): steps.append(.action(action))
        case .report(let report): receive(report, at: moment)
        case .nothing: break
        case .ended(.wrongDevice(let having), let kind) where !isSecondTry:
            let other: WiFiProtocol = kind == .improv ? .wifiSet : .improv
            guard other.characteristics.allSatisfy({ having.contains($0.uuid) }) else {
                return steps.append(.ended(JobText.wrongDevice))
            }
            isSecondTry = true
            open(other, at: moment)
            // The radio that the first one was told of is there still.
            receive(.radio(.ready), at: moment)
        case .ended(let end, _): steps.append(.ended(end.sentence))
        }
    }

    private mutating func receive(_ report: WiFiReport, at moment: Moment) {
        if case .ready(let device) = report {
            self.device = device
            setup.receive(report, at: moment.time)
            setup.isListing = true
            steps.append(.opened(name: device.name?.string))
            _ = ask(.list, at: moment)
            return
        }
        if case .list(let list) = report {
            networks = FoldedNetwork.folded(list.networks)
            hiddenCount = list.networks.count { $0.isHidden }
        }
        setup.receive(report, at: moment.time)
        if case .network = report { return }
        steps.append(.changed)
    }

    /// Asks the device.
    ///
    /// - Returns: Why it cannot be asked, if it cannot.
    private mutating func ask(_ request: WiFiRequest, at moment: Moment) -> WiFiError? {
        if let failure = wifiSet?.update({ $0.ask(request, at: moment.now) }) { return failure }
        return improv?.update { $0.ask(request, at: moment.now) } ?? nil
    }

    // MARK: What a page asks for

    private func openDevice() throws(HubError) -> WiFiDevice {
        guard let device, setup.job.phase == .open else {
            throw .notNow("The device is not connected. Wait a moment, or start again.")
        }
        return device
    }

    /// Has the device look for networks again.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func list(at moment: Moment) throws(HubError) {
        _ = try openDevice()
        guard !setup.isListing else { return }
        setup.isListing = true
        if let failure = ask(.list, at: moment) { return receive(.listFailed(failure), at: moment) }
        steps.append(.changed)
    }

    /// Has the device show itself.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func identify(at moment: Moment) throws(HubError) {
        guard setup.canIdentify else {
            throw .notNow("This device has no light or sound by which it could show itself.")
        }
        _ = try openDevice()
        if let failure = ask(.identify, at: moment) { return receive(.identifyFailed(failure), at: moment) }
        steps.append(.changed)
    }

    /// Sends credentials.
    ///
    /// - Parameters:
    ///   - secret: The credentials; what this holds of them is wiped once they are sent.
    ///   - security: How the network is secured, if the page knows.
    ///   - moment: The moment.
    /// - Throws: ``HubError`` that says what is wrong with them, or why it cannot be now.
    package mutating func send(
        _ secret: consuming WiFiSecret, _ security: NetworkSecurity?, at moment: Moment
    ) throws(HubError) {
        defer { secret.wipe() }
        let device = try openDevice()
        guard !isUnderWay else {
            throw .notNow("The device is still trying the last network. Wait until it has done.")
        }
        let ssid = secret.ssid
        let heard = networks.first {
            $0.network.ssid == ssid && (security ?? $0.network.security) == $0.network.security
        }
        let kind = heard?.network.security ?? security ?? .unknown
        do throws(WiFiSecretError) {
            try secret.check(for: kind, carriesKeys: device.kind.carriesKeys)
        } catch {
            throw .badValue(WiFiText.sentence(error))
        }
        tried += 1
        setup.attempt = WiFiAttempt(
            number: tried, ssid: ssid, security: kind, heardRSSI: heard?.network.rssi,
            alike: heard == nil ? networks.map { $0.network.ssid }.first { $0.looksLike(ssid) } : nil,
            password: secret.passwordKind, limit: device.kind.joinSeconds, begun: moment.time)
        steps.append(.changed)
        if let failure = ask(.send(secret), at: moment) { receive(.notJoined(failure), at: moment) }
    }
}

/// What comes out of the session of either protocol.
private enum WiFiOutput {
    case action(ClientAction)
    case report(WiFiReport)
    case nothing
    case ended(JobSessionEnd, WiFiProtocol)

    init<Session: WiFiSession & ~Copyable>(_ output: JobSession<Session>.Output) {
        switch output {
        case .action(let action): self = .action(action)
        case .event(let event): self = Session.wifiReport(in: event).map { .report($0) } ?? .nothing
        case .ended(let end): self = .ended(end, Session.kind)
        }
    }
}

extension WiFiSession where Self: ~Copyable {
    /// Asks the device.
    ///
    /// - Returns: Why it cannot be asked, if it cannot.
    fileprivate mutating func ask(_ request: WiFiRequest, at now: HostInstant) -> WiFiError? {
        switch request {
        case .list: listNetworks(at: now)
        case .state: requestState(at: now)
        case .identify: if !showItself(at: now) { return .unsupported }
        case .describe: if !describeItself(at: now) { return .unsupported }
        case .send(let secret):
            do throws(WiFiSecretError) {
                try send(secret, at: now)
            } catch {
                return .unusable(WiFiText.sentence(error))
            }
        }
        return nil
    }
}
