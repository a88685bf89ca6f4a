// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import WiFiSet

/// A Wi-Fi radio with an invented neighbourhood.
public struct SimulatedWiFiStation: WiFiStation, ~Copyable, Sendable {
    /// A network of the neighbourhood.
    public struct Network: Hashable, Sendable {
        /// What goes wrong with a network.
        public enum Fault: String, Hashable, Sendable, CaseIterable {
            /// It refuses every password.
            case wrongPassword = "wrong_password"
            /// It never answers.
            case noAnswer = "no_answer"
            /// The device cannot keep credentials for it.
            case storage
        }

        /// What a scan finds.
        public var network: WiFiNetwork
        /// The name to join it by, which the scan of a hidden network does not find.
        public var name: WireText
        /// The password that opens it; `nil` takes any.
        public var password: [UInt8]?
        /// How long joining takes, in milliseconds.
        public var joinMilliseconds: UInt64
        /// What goes wrong with it.
        public var fault: Fault?

        /// Makes a network.
        ///
        /// - Parameters:
        ///   - network: What a scan finds.
        ///   - hiddenName: The name of a hidden network, which a scan does not find.
        ///   - password: The password that opens it; `nil` takes any.
        ///   - joinMilliseconds: How long joining takes, in milliseconds.
        ///   - fault: What goes wrong with it.
        public init(
            _ network: WiFiNetwork, hiddenName: WireText? = nil, password: [UInt8]?,
            joinMilliseconds: UInt64 = 2000, fault: Fault? = nil
        ) {
            self.network = network
            name = hiddenName ?? network.ssid
            self.password = password
            self.joinMilliseconds = joinMilliseconds
            self.fault = fault
        }
    }

    private enum Joining {
        case none
        case running(WiFiStationEvent, until: HostInstant)
        /// Nobody answers.
        case silent
    }

    private let networks: [Network]
    private let scanMilliseconds: UInt64
    private let scanFails: Bool
    /// The last credentials with which the device has joined.
    public private(set) var stored: WiFiCredentials?
    private var candidate: WiFiCredentials?
    private var scanUntil: HostInstant?
    private var joining = Joining.none
    private var events = FIFO<WiFiStationEvent>()

    /// Makes a station that has never been in a network.
    public init(
        _ networks: [Network] = SimulatedWiFiStation.neighbourhood, scanMilliseconds: UInt64 = 1500,
        scanFails: Bool = false
    ) {
        self.networks = networks
        self.scanMilliseconds = scanMilliseconds
        self.scanFails = scanFails
    }

    /// Keeps credentials, unless the network's fault is that they cannot be.
    public mutating func keep(_ candidate: WiFiCredentials) -> Bool {
        if find(candidate.ssid)?.fault == .storage { return false }
        self.candidate = candidate
        return true
    }

    /// Makes the kept credentials the stored ones.
    public mutating func storeCandidate() -> Bool {
        guard let candidate else { return false }
        stored = candidate
        dropCandidate()
        return true
    }

    /// Wipes the kept credentials.
    public mutating func dropCandidate() {
        candidate?.wipe()
        candidate = nil
    }

    /// Looks around for a while.
    public mutating func startScan(at now: HostInstant) {
        scanUntil = now.advanced(byMilliseconds: scanMilliseconds)
    }

    /// Joins a network of the neighbourhood.
    public mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {
        guard let found = find(credentials.ssid) else {
            joining = .running(.joinFailed(.notFound), until: now.advanced(byMilliseconds: 3000))
            return
        }
        if found.fault == .noAnswer {
            joining = .silent
            return
        }
        let isWrong =
            found.fault == .wrongPassword || found.password.map { $0 != credentials.password } ?? false
        let address = 0xC0A8_0100 | UInt32(100 + networks.count % 100)
        joining = .running(
            isWrong ? .joinFailed(.wrongPassword) : .joined(rssi: found.network.rssi, address: address),
            until: now.advanced(byMilliseconds: found.joinMilliseconds))
    }

    /// Is in no network any more.
    public mutating func leave(at now: HostInstant) { joining = .none }

    /// Ends the scan and the join whose time has come.
    public mutating func deadlineReached(at now: HostInstant) {
        if let until = scanUntil, until <= now {
            scanUntil = nil
            events.append(scanFails ? .scanFailed : .scanned(networks.map { $0.network }))
        }
        if case .running(let event, let until) = joining, until <= now {
            joining = .none
            events.append(event)
        }
    }

    /// The next thing that happened.
    public mutating func nextEvent() -> WiFiStationEvent? { events.popFirst() }

    /// When the scan or the join ends.
    public var nextDeadline: HostInstant? {
        guard case .running(_, let until) = joining else { return scanUntil }
        return .earliest(scanUntil, until)
    }

    /// The strongest network of a name.
    private func find(_ name: WireText) -> Network? {
        networks.filter { $0.name == name && !name.isEmpty }.max { $0.network.rssi < $1.network.rssi }
    }
}
