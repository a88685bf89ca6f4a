// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText
import Improv
import WiFiSet

/// Gives a device its Wi-Fi for a page: lists networks, sends credentials as often as it takes, and tells each step.
final class WiFiWork: EngineWork {
    /// How far it is.
    private(set) var setup: WiFiSetup
    /// What the device hears, folded, the strongest first.
    private(set) var networks: [FoldedNetwork] = []
    /// How many of the networks that it hears hide their name.
    private(set) var hiddenCount = 0
    private var device: WiFiDevice?
    private var tried = 0
    private var ask: (WiFiRequest) -> WiFiFailure? = { _ in .linkLost }
    private var end: () -> Void = {}

    init(_ engine: Engine, _ job: DeviceJob) {
        setup = WiFiSetup(job)
        super.init(engine)
        // One that says that it is the other is not connected to twice.
        if engine.devices.services(job.device).contains(ImprovUUID.service) {
            openImprov(isLast: false)
        } else {
            openWiFiSet(isLast: false)
        }
    }

    override var wifi: WiFiWork? { self }
    override var isUnderWay: Bool { setup.attempt.map { !$0.step.isOver } ?? false }

    override func show(_ job: DeviceJob) {
        setup.job = job
        if job.phase == .ended {
            setup.end(job.reason ?? "It was ended before it was done.", at: engine.time)
            (ask, end, device) = ({ _ in .linkLost }, {}, nil)
        }
        tell()
    }

    override func close() { end() }
    override func count() { setup.revision += 1 }
    override func publish() { engine.publish(WiFiSetupChanged(setup)) }

    // MARK: The link

    private var target: DeviceLink.Target { .peer(setup.job.peer) }

    private func openWiFiSet(isLast: Bool) {
        open(WiFiSetClient(wifiTarget: target, seed: engine.random.next())) { [self] having in
            guard !isLast, Self.has(.improv, having) else { return false }
            openImprov(isLast: true)
            return true
        }
    }

    private func openImprov(isLast: Bool) {
        open(ImprovClient(wifiTarget: target, seed: engine.random.next())) { [self] having in
            guard !isLast, Self.has(.wifiSet, having) else { return false }
            openWiFiSet(isLast: true)
            return true
        }
    }

    private static func has(_ kind: WiFiProtocol, _ having: [BluetoothUUID]) -> Bool {
        kind.characteristics.allSatisfy { having.contains($0.uuid) }
    }

    private func open<Session: WiFiSession & ~Copyable>(
        _ session: consuming Session, isOther: @escaping ([BluetoothUUID]) -> Bool
    ) {
        let run = DeviceRun(session, at: engine.now) { [self] event in
            if let report = Session.wifiReport(in: event) { receive(report) }
        } ended: { [self] end in
            if case .wrongDevice(let having) = end, isOther(having) { return }
            engine.ended(self, end.sentence)
        }
        end = { [self] in run.close(at: engine.now) }
        ask = { [self] request in
            var failure: WiFiFailure?
            run.update { session in
                switch request {
                case .list: session.listNetworks(at: engine.now)
                case .state: session.requestState(at: engine.now)
                case .identify: if !session.showItself(at: engine.now) { failure = .unsupported }
                case .describe: if !session.describeItself(at: engine.now) { failure = .unsupported }
                case .send(let secret):
                    do throws(WiFiSecretFault) {
                        try session.send(secret, at: engine.now)
                    } catch {
                        failure = .unusable(WiFiText.sentence(error))
                    }
                }
            }
            return failure
        }
        engine.radio.run(run, at: engine.now)
    }

    private func receive(_ report: WiFiReport) {
        if case .ready(let device) = report {
            self.device = device
            setup.receive(report, at: engine.time)
            engine.opened(self, name: device.name?.string)
            setup.isListing = true
            _ = ask(.list)
            return tell()
        }
        if case .list(let list) = report {
            networks = FoldedNetwork.folded(list.networks)
            hiddenCount = list.networks.count { $0.isHidden }
        }
        setup.receive(report, at: engine.time)
        if case .network = report { return }
        tell()
    }

    // MARK: What a page asks for

    private func openDevice() throws(HubFault) -> WiFiDevice {
        guard let device, setup.job.phase == .open else {
            throw .notNow("The device is not connected. Wait a moment, or start again.")
        }
        return device
    }

    /// Has the device look for networks again.
    func list() throws(HubFault) {
        _ = try openDevice()
        guard !setup.isListing else { return }
        setup.isListing = true
        _ = ask(.list)
        tell()
    }

    /// Has the device show itself.
    func identify() throws(HubFault) {
        guard setup.canIdentify else {
            throw .notNow("This device has no light or sound by which it could show itself.")
        }
        _ = try openDevice()
        _ = ask(.identify)
        tell()
    }

    /// Sends credentials; what this holds of them is wiped then.
    func send(_ secret: consuming WiFiSecret, _ security: NetworkSecurity?) throws(HubFault) {
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
        do throws(WiFiSecretFault) {
            try secret.check(for: kind, carriesKeys: device.kind.carriesKeys)
        } catch {
            throw .badValue(WiFiText.sentence(error))
        }
        tried += 1
        setup.attempt = WiFiAttempt(
            number: tried, ssid: ssid, security: kind, heardRSSI: heard?.network.rssi,
            alike: heard == nil ? networks.map { $0.network.ssid }.first { $0.looksLike(ssid) } : nil,
            password: secret.passwordKind, limit: device.kind.joinSeconds, begun: engine.time)
        tell()
        if let failure = ask(.send(secret)) { receive(.notJoined(failure)) }
    }
}

extension Engine {
    func performWiFi(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        guard let work = try job(id, isUsed: request.method == "POST").work.wifi else { throw .noJob }
        switch (request.method, verb) {
        case ("GET", nil):
            return answer(request.id) { json in
                json.object { json in
                    json.key("setup")
                    work.setup.write(into: &json)
                    json.key("networks")
                    json.array { json in
                        for network in work.networks { WiFiNetworkPart(network).write(into: &json) }
                    }
                    json.field("hidden", work.hiddenCount)
                }
            }
        case ("POST", "networks"): try work.list()
        case ("POST", "identify"): try work.identify()
        case ("POST", "credentials"):
            guard let octets = request.text("ssid_octets").flatMap({ [UInt8](hexadecimal: $0) }),
                let password = request.text("password")
            else { throw .badValue("Say which network, and its password.") }
            let security = request.text("security").flatMap { NetworkSecurity(rawValue: $0) }
            try work.send(WiFiSecret(ssid: WireText(octets), password: Array(password.utf8)), security)
        default: throw .noJob
        }
        answer(request.id) { work.setup.write(into: &$0) }
    }
}
