// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE
import DBus

/// Who answers for us while BlueZ pairs, on a connection to D-Bus of its own.
///
/// BlueZ keeps one agent for each of its clients, and asks that one about what the client pairs; with a connection each, pairings that go on
/// at the same time have each their own abilities. When the connection is closed, BlueZ forgets the agent.
///
/// Unchecked: everything that changes is only touched on the loop.
///
/// Source: BlueZ, doc/org.bluez.Agent.rst and org.bluez.AgentManager.rst.
final class BlueZAgent: @unchecked Sendable {
    /// A device that this program has to do with.
    struct Subject {
        let peer: Peer
        let isBonded: Bool
    }

    /// What is shown or asked now.
    private struct Question {
        let number: Int
        let path: String
        let kind: PairingQuestion.Kind
        let task: Task<Void, Never>
        /// What waits for the answer; nothing when something is only shown.
        let request: DBusRequest?
    }

    static let path = "/lantern/agent"
    private static let manager = "/org/bluez"

    let agent: PairingAgent
    let bus: DBusConnection
    private let loop: TransportLoop
    private let subject: @Sendable (String) -> Subject?
    /// Who may ask: the unique name of bluetoothd.
    private var asker: String?
    private var question: Question?
    private var lastNumber = 0
    /// The devices of which a person has compared, read or typed digits.
    private(set) var authenticated: Set<String> = []
    /// What a person has said no to.
    private(set) var refusals: [String: SMP.Failure] = [:]

    /// Connects to the bus.
    ///
    /// - Parameters:
    ///   - agent: Who answers.
    ///   - address: The bus.
    ///   - loop: What to run on.
    ///   - subject: Which device the object at a path is; `nil` for those that are none of this program's.
    /// - Throws: ``DBusError``.
    init(
        _ agent: PairingAgent, bus address: String, on loop: TransportLoop,
        subject: @escaping @Sendable (String) -> Subject?
    ) throws(DBusError) {
        self.agent = agent
        self.loop = loop
        self.subject = subject
        bus = try DBusConnection.open(address, on: loop)
        bus.serve(Self.path) { [weak self] request in
            guard let self else { return BlueZAgent.refuse(request) }
            handle(request)
        }
    }

    /// Has BlueZ ask this agent.
    ///
    /// - Parameter asDefault: Whether also about what other programs and devices begin.
    /// - Throws: ``DBusError``.
    func register(asDefault: Bool) async throws(DBusError) {
        let name = "org.freedesktop.DBus"
        let owner = DBusCall(
            name, "/org/freedesktop/DBus", name, "GetNameOwner", [.string(BlueZ.service)])
        let answer = try await bus.call(owner, timeout: .seconds(5)).first?.string
        await onLoop { $0.asker = answer }
        try await call(
            "RegisterAgent", [.path(Self.path), .string(Self.word(agent.configuration.ioCapability))])
        if asDefault { try await call("RequestDefaultAgent", [.path(Self.path)]) }
    }

    private func call(_ method: String, _ arguments: [DBusValue]) async throws(DBusError) {
        _ = try await bus.call(
            DBusCall(BlueZ.service, Self.manager, BlueZ.agentManager, method, arguments), timeout: .seconds(5)
        )
    }

    private func onLoop(_ body: @escaping @Sendable (BlueZAgent) -> Void) async {
        await withCheckedContinuation { done in
            loop.execute {
                body(self)
                done.resume()
            }
        }
    }

    /// Answers nothing more; what is shown or asked is over.
    ///
    /// Only on the loop.
    func close() {
        endQuestion()
        bus.close()
    }

    /// What is shown or asked of a device is over.
    ///
    /// Only on the loop.
    func over(_ path: String) { if question?.path == path { endQuestion() } }

    /// BlueZ's words for what a side can show and take.
    static func word(_ capability: SMP.IOCapability) -> String {
        switch capability {
        case .displayOnly: "DisplayOnly"
        case .displayYesNo: "DisplayYesNo"
        case .keyboardOnly: "KeyboardOnly"
        case .keyboardDisplay: "KeyboardDisplay"
        default: "NoInputNoOutput"
        }
    }

    // MARK: What BlueZ asks

    private func handle(_ request: DBusRequest) {
        // Nobody else has anything to show or to ask here.
        guard request.sender == asker, request.interface == BlueZ.agent else {
            return request.refuse("org.freedesktop.DBus.Error.AccessDenied", "only bluetoothd may ask")
        }
        let device = request.arguments.first?.string ?? ""
        let passkey = request.arguments.dropFirst().first?.integer
            .flatMap { UInt32(exactly: $0) }.flatMap { SMP.Passkey($0) }
        switch (request.method, passkey) {
        case ("Release", _), ("Cancel", _):
            request.answer()
            endQuestion()
        case ("DisplayPasskey", let passkey?):
            request.answer()
            show(passkey, device)
        case ("RequestPasskey", _): ask(.enter, device, request)
        case ("RequestConfirmation", let passkey?): ask(.compare(passkey), device, request)
        case ("RequestAuthorization", _): consent(device, request)
        // PIN codes and services that ask to be authorized are those of BR/EDR.
        default: Self.refuse(request)
        }
    }

    private static func refuse(_ request: DBusRequest) {
        request.refuse("org.bluez.Error.Rejected", "this program does not say yes to that")
    }

    /// BlueZ says it again for each digit that is typed.
    private func show(_ passkey: SMP.Passkey, _ path: String) {
        if let question, question.path == path, question.kind == .show(passkey) { return }
        ask(.show(passkey), path, nil)
    }

    private func consent(_ path: String, _ request: DBusRequest) {
        guard let device = subject(path), agent.configuration.isPairable else { return Self.refuse(request) }
        guard device.isBonded || agent.configuration.asksConsent else { return request.answer() }
        ask(.consent(replacesBond: device.isBonded), path, request)
    }

    private func ask(_ kind: PairingQuestion.Kind, _ path: String, _ request: DBusRequest?) {
        guard let device = subject(path) else {
            if let request { Self.refuse(request) }
            return
        }
        endQuestion()
        lastNumber += 1
        let (agent, number) = (agent, lastNumber)
        let asked = PairingQuestion(device.peer, kind)
        let task = Task(executorPreference: loop) { [weak self] in
            let answer = await agent.answer(asked)
            self?.loop.execute { [weak self] in self?.take(answer, to: number) }
        }
        if case .show = kind { authenticated.insert(path) }
        question = Question(number: number, path: path, kind: kind, task: task, request: request)
    }

    /// Takes an answer, unless the question is over.
    private func take(_ answer: SMP.Answer, to number: Int) {
        guard let question, question.number == number else { return }
        // What is shown stays until pairing is over, whatever is answered to it.
        if case .show = question.kind, answer != .reject { return }
        self.question = nil
        switch (question.kind, answer) {
        case (.enter, .passkey(let passkey)):
            authenticated.insert(question.path)
            question.request?.answer([.uint32(passkey.value)])
        case (.compare, .accept):
            authenticated.insert(question.path)
            question.request?.answer()
        case (.consent, .accept): question.request?.answer()
        case (let kind, _):
            refusals[question.path] = Self.failure(kind)
            if let request = question.request {
                Self.refuse(request)
            } else {
                bus.send(DBusCall(BlueZ.service, question.path, BlueZ.device, "CancelPairing")) { _ in }
            }
        }
    }

    /// What a no means.
    private static func failure(_ kind: PairingQuestion.Kind) -> SMP.Failure {
        switch kind {
        case .enter: .refused(.passkeyEntryFailed)
        case .compare: .refused(.numericComparisonFailed)
        case .show, .consent: .cancelled
        }
    }

    private func endQuestion() {
        guard let question else { return }
        self.question = nil
        question.task.cancel()
        question.request?.refuse("org.bluez.Error.Canceled", "it is over")
    }
}
