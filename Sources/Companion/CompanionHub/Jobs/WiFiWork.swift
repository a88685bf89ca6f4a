// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLESessions
package import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText
import Improv
import WiFiSet

/// Gives a device its Wi-Fi for a page: lists networks, sends credentials as often as it takes, and tells each step.
package actor WiFiWork: PacedWork {
    /// Requests that may wait for the link to take them.
    private static let requestLimit = 8

    private nonisolated let kinds: [any WiFiClientKind]
    private nonisolated let peer: Peer
    nonisolated let clock: HubClock
    private nonisolated let feed: EventFeed
    private nonisolated let protection: @Sendable (Radio) async -> LinkProtection?
    /// How far it is.
    package private(set) var setup: WiFiSetup
    /// What the device hears, folded, the strongest first.
    package private(set) var networks: [FoldedNetwork] = []
    /// How many of the networks that it hears hide their name.
    package private(set) var hiddenCount = 0
    private var device: WiFiDevice?
    private var requests = FIFO<WiFiRequest>()
    private var requestCount = 0
    private var wake: (@Sendable () async -> Void)?
    private var tried = 0
    var pace = Pace()

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - services: What the device says that it offers, if it does.
    ///   - clock: The time.
    ///   - feed: Gets what happens.
    ///   - protection: Has the link encrypted, where that is wanted.
    package init(
        _ job: DeviceJob, services: [BluetoothUUID], clock: HubClock, feed: EventFeed,
        protection: @escaping @Sendable (Radio) async -> LinkProtection? = { _ in nil }
    ) {
        let wifiSet = WiFiClients<WiFiSetClient>(), improv = WiFiClients<ImprovClient>()
        // One that says that it is the other is not connected to twice.
        kinds = services.contains(ImprovUUID.service) ? [improv, wifiSet] : [wifiSet, improv]
        peer = job.peer
        setup = WiFiSetup(job)
        self.clock = clock
        self.feed = feed
        self.protection = protection
    }

    /// Whether credentials are on their way.
    package var isUnderWay: Bool { setup.attempt.map { !$0.step.isOver } ?? false }

    // MARK: What a page asks for

    /// Has the device look for networks again.
    package func list() async throws(HubFault) {
        guard !setup.isListing else { return }
        _ = try link()
        setup.isListing = true
        try await ask(.list)
    }

    /// Has the device show itself.
    package func identify() async throws(HubFault) {
        guard setup.canIdentify else {
            throw .notNow("This device has no light or sound by which it could show itself.")
        }
        try await ask(.identify)
    }

    /// Sends credentials.
    ///
    /// - Parameters:
    ///   - secret: The credentials; what this holds of them is wiped once they are sent.
    ///   - security: How the network is secured, if the page knows.
    /// - Throws: ``HubFault`` that says what is wrong with them, or why it cannot be now.
    package func send(_ secret: consuming WiFiSecret, _ security: NetworkSecurity?) async throws(HubFault) {
        _ = try link()
        guard let device else { throw Self.notOpen }
        guard !isUnderWay else {
            throw .notNow("The device is still trying the last network. Wait until it has done.")
        }
        let heard = networks.first {
            $0.network.ssid == secret.ssid && (security ?? $0.network.security) == $0.network.security
        }
        let kind = heard?.network.security ?? security ?? .unknown
        do throws(WiFiSecretFault) {
            try secret.check(for: kind, carriesKeys: device.kind.carriesKeys)
        } catch {
            secret.wipe()
            throw .badValue(WiFiText.sentence(error))
        }
        tried += 1
        setup.attempt = WiFiAttempt(
            number: tried, ssid: secret.ssid, security: kind, heardRSSI: heard?.network.rssi,
            alike: heard == nil ? networks.map { $0.network.ssid }.first { $0.looksLike(secret.ssid) } : nil,
            password: secret.passwordKind, limit: device.kind.joinSeconds, begun: clock.now())
        try await ask(.send(secret))
    }

    private static let notOpen = HubFault.notNow(
        "The device is not connected. Wait a moment, or start again.")

    /// What wakes the link, when it is open and takes another request.
    private func link() throws(HubFault) -> @Sendable () async -> Void {
        guard let wake, setup.job.phase == .open else { throw Self.notOpen }
        guard requestCount < Self.requestLimit else {
            throw .notNow("The device has not done what it was asked for. Try again in a moment.")
        }
        return wake
    }

    private func ask(_ request: WiFiRequest) async throws(HubFault) {
        let wake = try link()
        requestCount += 1
        requests.append(request)
        tell()
        await wake()
    }

    // MARK: The link

    package func show(_ job: DeviceJob) {
        setup.job = job
        if job.phase == .ended {
            setup.end(job.reason ?? "It was ended before it was done.", at: clock.now())
            while var request = requests.popFirst() { Self.wipe(&request) }
            (wake, device) = (nil, nil)
        }
        tell()
    }

    package nonisolated func run(
        on radio: Radio, opened: @escaping @Sendable (String?) async -> Void
    ) async throws {
        let options = ConnectionOptions(protection: await protection(radio))
        try await kinds.open(.peer(peer), on: radio, options) { link in
            await self.begin(link.device, link.wake)
            await opened(link.device.name?.string)
            try await self.list()
            while true {
                while let request = await self.nextRequest() {
                    do { try await link.request(request) } catch let fault as WiFiSecretFault {
                        await self.receive(.notJoined(.unusable(WiFiText.sentence(fault))))
                    } catch let failure as WiFiFailure {
                        await self.refused(request, failure)
                    }
                }
                if let report = try await link.nextUnlessWoken() { await self.receive(report) }
            }
        }
    }

    private func begin(_ device: WiFiDevice, _ wake: @escaping @Sendable () async -> Void) {
        self.device = device
        self.wake = wake
        receive(.ready(device))
    }

    private func nextRequest() -> WiFiRequest? {
        guard let request = requests.popFirst() else { return nil }
        requestCount -= 1
        return request
    }

    private func refused(_ request: WiFiRequest, _ failure: WiFiFailure) {
        switch request {
        case .list: receive(.listFailed(failure))
        case .identify: receive(.identifyFailed(failure))
        case .send: receive(.notJoined(failure))
        case .state, .describe: break
        }
    }

    private func receive(_ report: WiFiReport) {
        let now = clock.now()
        if case .list(let list) = report {
            networks = FoldedNetwork.folded(list.networks)
            hiddenCount = list.networks.count { $0.isHidden }
        }
        setup.receive(report, at: now)
        if case .network = report { return }
        tell()
    }

    // MARK: What is told

    func count() { setup.revision += 1 }
    func publish() { feed.publish(WiFiSetupChanged(setup), at: clock.now()) }

    private static func wipe(_ request: inout WiFiRequest) {
        guard case .send(var secret) = request else { return }
        request = .state
        secret.wipe()
    }
}

extension Hub {
    /// Begins the Wi-Fi set-up of a device.
    ///
    /// - Parameter id: The device.
    /// - Returns: How far it is.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    package func beginWiFi(device id: Int) async throws(HubFault) -> WiFiSetup {
        let services = board.services(id)
        let work = try await begin(.wifi, with: id) { [clock, feed] job in
            WiFiWork(job, services: services, clock: clock, feed: feed) { [weak self] radio in
                guard let self else { return nil }
                await desk.personBegins(job.peer)
                return await protection(
                    await settings.settings.encryption.wifi, on: radio, begunBy: .person)
            }
        }
        return await work.setup
    }

    /// The Wi-Fi set-up of a job that goes on or has ended.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - isUsed: Whether something is asked of the device.
    /// - Returns: What is done.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func wifi(job id: Int64, isUsed: Bool = false) async throws(HubFault) -> WiFiWork {
        guard let job = jobs[id], let work = job.work as? WiFiWork else { throw .noJob }
        if isUsed { await job.use() }
        return work
    }
}
