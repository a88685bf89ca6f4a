// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Sends a device Wi-Fi credentials, as a machine whose questions are values: a terminal, a page or a script answers them.
///
/// ```
///  choose ─► (name of a hidden one) ─► password ─► confirm ─► sent ─► joined
///    ▲                                    ▲                    │ not joined
///    └────────────── another network ─────┴──── try again ◄────┘
/// ```
///
/// After each input ``nextStep()`` says what to do, until there is nothing. A question is answered with
/// ``answer(_:)``; whoever has nobody to ask answers ``Answer/nobody``, which ends it. The password is wiped when it
/// was sent, and when it ends.
public struct WiFiProvisioning: Sendable {
    /// Something for a person to answer.
    public enum Question: Hashable, Sendable {
        /// Which of these networks: ``Answer/network(_:)``, ``Answer/lookAgain`` or ``Answer/no``.
        case network([HeardNetwork])
        /// What the hidden network is called: ``Answer/name(_:)``.
        case name
        /// The password of this network: ``Answer/password(_:)``.
        case password(HeardNetwork)
        /// Whether to send the credentials for this network to this device: ``Answer/yes`` or ``Answer/no``.
        case confirmation(ssid: WireText, WiFiDevice)
        /// It did not work with such a password; whether to try again: ``Answer/yes``, ``Answer/lookAgain`` for another
        /// network, ``Answer/no``.
        case another(WiFiError, HeardNetwork, WiFiPasswordKind)
    }

    /// What a person has answered.
    public enum Answer: Hashable, Sendable {
        /// The network of this number, from 0.
        case network(Int)
        /// Look for networks (again).
        case lookAgain
        /// A name.
        case name(WireText)
        /// A password.
        case password([UInt8])
        /// Yes.
        case yes
        /// No.
        case no
        /// Something that is no answer to the question.
        case unclear
        /// Nobody is there, or nobody wants to answer.
        case nobody
    }

    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Ask the device for its networks; then call ``WiFiProvisioning/listed(_:)``.
        case list
        /// Ask a person.
        case ask(Question)
        /// Say what was wrong with the last answer; a question follows.
        case explain(Problem)
        /// Send this to the device and wipe it; then call ``WiFiProvisioning/joined(_:)`` or
        /// ``WiFiProvisioning/notJoined(_:)``.
        case send(WiFiSecret)
        /// It is over.
        case end(End)
    }

    /// What was wrong with an answer.
    public enum Problem: Hashable, Sendable {
        /// It is none of those that were offered.
        case unclear
        /// The name or password cannot be used.
        case fault(WiFiSecretError)
        /// The device does not hear the network, but another one whose name looks alike.
        case alike(heard: WireText, WireText)
    }

    /// How it ended.
    public enum End: Hashable, Sendable {
        /// The device is in the network.
        case joined(WiFiDeviceState)
        /// It is not; what is known of the password that was sent.
        case notJoined(WiFiError, WiFiPasswordKind)
        /// No network was chosen; nothing was sent.
        case noNetwork
        /// No password was given; nothing was sent.
        case noPassword
        /// The person did not want it; nothing was sent.
        case notConfirmed
        /// What was given beforehand cannot be used; nothing was sent.
        case fault(WiFiSecretError)
    }

    private enum Phase {
        case listing
        /// It is looked whether the network can be joined, before a password is sent for it.
        case checking(HeardNetwork)
        case choosing([HeardNetwork])
        case naming(HeardNetwork)
        case password(HeardNetwork)
        case confirming(HeardNetwork, WiFiSecret)
        case sending(HeardNetwork, WiFiPasswordKind)
        case failed(WiFiError, HeardNetwork, WiFiPasswordKind)
        case ended
    }

    private let device: WiFiDevice
    private var isConfirmed: Bool
    private let canAsk: Bool
    private var given: [UInt8]?
    private var phase = Phase.listing
    private var steps = FIFO<Step>()

    /// Makes a provisioning of a connected device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - network: The network, if it is known; otherwise it is asked for.
    ///   - password: The password, if it is known; nothing for an open network.
    ///   - confirms: Whether a person is asked before anything is sent.
    ///   - canAsk: Whether there is somebody to ask.
    public init(
        _ device: WiFiDevice, network: HeardNetwork? = nil, password: [UInt8]? = nil, confirms: Bool = true,
        canAsk: Bool = true
    ) {
        self.device = device
        given = password
        isConfirmed = !confirms
        self.canAsk = canAsk
        if device.state?.word == .stopped {
            end(.notJoined(.stopped, .empty))
        } else if let network, network.security != .unknown, network.security != .open {
            choose(network)
        } else {
            // That a network is open, somebody may only believe.
            if let network { phase = .checking(network) }
            steps.append(.list)
        }
    }

    // MARK: Inputs

    /// Continues with the networks that the device hears.
    ///
    /// - Parameter networks: The networks.
    public mutating func listed(_ networks: [HeardNetwork]) {
        if case .checking(let network) = phase { return checked(network, among: networks) }
        guard case .listing = phase else { return }
        let networks = HeardNetwork.arranged(networks)
        phase = .choosing(networks)
        steps.append(.ask(.network(networks)))
    }

    /// Continues without a list of networks.
    ///
    /// - Returns: Whether it goes on: a network that was named can be tried all the same.
    public mutating func notListed() -> Bool {
        guard case .checking(let network) = phase else { return false }
        choose(network)
        return true
    }

    /// Continues with an answer to the last question.
    ///
    /// - Parameter answer: The answer.
    public mutating func answer(_ answer: Answer) {
        switch phase {
        case .choosing(let networks): chosen(answer, from: networks)
        case .naming(let network): named(answer, network)
        case .password(let network):
            if case .password(let octets) = answer { check(octets, network) } else { end(.noPassword) }
        case .confirming(let network, let secret):
            if answer == .yes {
                isConfirmed = true
                send(secret, network)
            } else {
                end(.notConfirmed)
            }
        case .failed(let failure, let network, let password):
            switch answer {
            case .no, .nobody: end(.notJoined(failure, password))
            case .lookAgain: list()
            default: choose(network)
            }
        case .listing, .checking, .sending, .ended: break
        }
    }

    /// Ends the provisioning: the device has joined the network.
    ///
    /// - Parameter state: What it says.
    public mutating func joined(_ state: WiFiDeviceState) {
        guard case .sending = phase else { return }
        end(.joined(state))
    }

    /// Asks for another try, or ends: the device has not joined the network.
    ///
    /// - Parameter failure: Why not.
    public mutating func notJoined(_ failure: WiFiError) {
        guard case .sending(let network, let password) = phase else { return }
        forgetGiven()
        // Without a link there is nobody to try it with.
        guard canAsk, failure != .linkLost else { return end(.notJoined(failure, password)) }
        phase = .failed(failure, network, password)
        steps.append(.ask(.another(failure, network, password)))
    }

    /// What to do next, to be called until there is nothing.
    ///
    /// - Returns: The step; `nil` when an input has to come first.
    public mutating func nextStep() -> Step? { steps.popFirst() }

    // MARK: Steps

    private mutating func list() {
        phase = .listing
        steps.append(.list)
    }

    /// Takes a network that was named before anybody looked for it: the device may know how it is secured.
    private mutating func checked(_ network: HeardNetwork, among networks: [HeardNetwork]) {
        let same = networks.filter { $0.ssid == network.ssid }
        let isOpen = network.security == .open
        // A password that was given is never left out because an open network calls itself the same.
        let usable = same.filter {
            $0.security != .wpa2Enterprise && ($0.security != .open || given == nil)
        }
        // One that is said to be open is tried as such.
        if !isOpen, let best = HeardNetwork.arranged(usable).first {
            choose(best)
        } else if !same.isEmpty, same.allSatisfy({ $0.security == .wpa2Enterprise }) {
            end(.fault(.enterprise))
        } else {
            if same.isEmpty, let heard = networks.first(where: { $0.ssid.looksLike(network.ssid) }) {
                steps.append(.explain(.alike(heard: heard.ssid, network.ssid)))
            }
            choose(network)
        }
    }

    private mutating func chosen(_ answer: Answer, from networks: [HeardNetwork]) {
        switch answer {
        case .network(let index) where networks.indices.contains(index):
            if networks[index].security == .wpa2Enterprise {
                again(.network(networks), .fault(.enterprise))
            } else if networks[index].isHidden {
                phase = .naming(networks[index])
                steps.append(.ask(.name))
            } else {
                choose(networks[index])
            }
        case .lookAgain: list()
        case .no, .nobody: end(.noNetwork)
        default: again(.network(networks), .unclear)
        }
    }

    private mutating func named(_ answer: Answer, _ network: HeardNetwork) {
        guard case .name(let name) = answer else { return end(.noNetwork) }
        guard (1...32).contains(name.octets.count) else {
            return again(.name, .fault(.ssidLength(name.octets.count)))
        }
        var network = network
        network.ssid = name
        choose(network)
    }

    private mutating func choose(_ network: HeardNetwork) {
        if network.security == .open {
            forgetGiven()
            check([], network)
        } else if let octets = given {
            given = nil
            check(octets, network)
        } else {
            phase = .password(network)
            steps.append(.ask(.password(network)))
        }
    }

    private mutating func check(_ octets: [UInt8], _ network: HeardNetwork) {
        var secret = WiFiSecret(ssid: network.ssid, password: octets)
        do throws(WiFiSecretError) {
            try secret.check(for: network.security, carriesKeys: device.kind.carriesKeys)
        } catch {
            secret.wipe()
            guard canAsk else { return end(.fault(error)) }
            phase = .password(network)
            return again(.password(network), .fault(error))
        }
        if isConfirmed {
            send(secret, network)
        } else {
            phase = .confirming(network, secret)
            steps.append(.ask(.confirmation(ssid: network.ssid, device)))
        }
    }

    private mutating func send(_ secret: WiFiSecret, _ network: HeardNetwork) {
        phase = .sending(network, secret.passwordKind)
        steps.append(.send(secret))
    }

    private mutating func again(_ question: Question, _ problem: Problem) {
        steps.append(.explain(problem))
        steps.append(.ask(question))
    }

    private mutating func end(_ end: End) {
        if case .confirming(_, var secret) = phase { secret.wipe() }
        phase = .ended
        forgetGiven()
        steps.append(.end(end))
    }

    private mutating func forgetGiven() {
        guard var octets = given else { return }
        given = nil
        WiFiSecret.wipe(&octets)
    }
}
