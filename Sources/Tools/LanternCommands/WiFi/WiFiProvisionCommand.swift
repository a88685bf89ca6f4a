// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import Foundation

/// `lantern wifi provision`: gives the device its Wi-Fi.
struct WiFiProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Give a device the name and password of a Wi-Fi network.",
        discussion: """
            Without --ssid it shows the networks that the device hears and lets you choose; it asks for the password \
            and does not show it. Before it sends a password, it shows which device it is and asks whether that is right, \
            unless --yes is given. It succeeds only when the device has joined the network.

            With --ssid, too, also with --open, the device is first asked for the networks that it hears: an enterprise network, which \
            needs a user name, cannot be joined this way and is refused. One that the device does not hear is tried all the same.

            If the device's button has to be pressed first, it waits for that.

            The password travels over Bluetooth without encryption: that is how WiFiSet and Improv work. With --encrypt \
            nothing is sent before the link is encrypted, so that nobody nearby can read it; the device has to support that.
            """)

    @OptionGroup var options: WiFiOptions
    @OptionGroup var password: PasswordOptions

    @Option(help: ArgumentHelp("The network's name.", valueName: "name"))
    var ssid: String?

    @Option(help: ArgumentHelp("The network's name as hex octets, when it is not text.", valueName: "hex"))
    var ssidHex: String?

    @Flag(help: "Send name and password without asking whether this is the right device.")
    var yes = false

    @Option(help: ArgumentHelp("Give up after this many seconds.", valueName: "seconds"))
    var timeout: Seconds?

    func validate() throws {
        try options.radioOptions.checkCapture(apartFrom: (password.passwordFile, "--password-file"))
        if ssid != nil, ssidHex != nil { throw ValidationError("Give --ssid or --ssid-hex, not both.") }
        if let ssidHex, [UInt8](typed: ssidHex) == nil {
            throw ValidationError("--ssid-hex takes pairs of hex digits.")
        }
        if let name, !(1...32).contains(name.octets.count) {
            throw ValidationError("A network's name has 1 to 32 octets; this one has \(name.octets.count).")
        }
    }

    /// The network's name, when it was given.
    private var name: WireText? {
        ssid.map { WireText($0) } ?? ssidHex.flatMap { [UInt8](typed: $0) }.map { WireText($0) }
    }

    func run() async throws {
        let isJSON = options.format.isJSON
        let person = isJSON ? nil : Person.atTerminal()
        let secret = try given(isAsking: person != nil)
        if options.radioOptions.capture != nil {
            try Output.standardError().line(
                "lantern: the capture will contain the password in plain text. Delete it when you no longer need it."
            )
        }
        let network = name.map { HeardNetwork(ssid: $0, security: password.isOpen ? .open : .unknown) }
        let screen = WiFiScreen(printer: options.printer, person: person, isSecurityKnown: network == nil)
        // A list of what a closure captures would have it run elsewhere than its caller.
        let (isConfirmed, name) = (yes, name)
        let end = try await options.use(limit: timeout) { link, progress -> WiFiProvisioning.End in
            defer { secret?.wipe() }
            try screen.introduce(link.device)
            let peer = link.device.peer
            return try await link.lead(
                WiFiProvisioning(
                    link.device, network: network, password: secret?.consume(), confirms: !isConfirmed,
                    canAsk: person != nil),
                ask: { question in
                    progress.clear()
                    return await screen.ask(question)
                },
                explain: { try screen.explain($0) },
                observe: { try screen.show($0, of: peer, progress) })
        } again: { end in
            // Many devices end the link when they join; some are there again at once and say so.
            guard case .notJoined(.linkLost, _) = end else { return nil }
            return { link in
                let state = try await link.state()
                guard state.saysJoined(name) else { return end }
                try screen.show(.joined(state, isRepeated: false), of: link.device.peer, .none)
                return .joined(state)
            }
        }
        try screen.finish(end)
    }

    /// The password that the arguments give; everything is checked before anything is sent.
    private func given(isAsking: Bool) throws(CommandError) -> Secret? {
        if !isAsking {
            if name == nil { throw .wrongUsage("Say which network with --ssid NAME or --ssid-hex HEX.") }
            if !password.isGiven {
                throw .wrongUsage(
                    "Say where the password is with --password-stdin, --password-file FILE or --open.")
            }
            if !yes {
                throw .wrongUsage(
                    "Nobody can be asked whether \(options.address) is the right device: add --yes to send "
                        + "\(password.isOpen ? "the network's name" : "the password") to it.")
            }
        }
        if password.passwordStdin, isAsking, !yes {
            throw .wrongUsage("With --password-stdin nobody can be asked: add --yes.")
        }
        guard let octets = try password.read() else { return nil }
        do throws(WiFiSecretError) {
            if octets.isEmpty, !password.isOpen { throw .passwordMissing }
            // Whether the device carries keys is seen when it is there.
            try WiFiSecret(ssid: name ?? "x", password: octets).check(
                for: password.isOpen ? .open : .unknown, carriesKeys: true)
        } catch {
            throw .wrongUsage(WiFiText.sentence(error))
        }
        return Secret(octets)
    }
}

extension WiFiDeviceState {
    /// Whether a device is in a network, and in that one as far as both are known.
    func saysJoined(_ network: WireText?) -> Bool {
        guard word == .connected else { return false }
        guard let network, let ssid, !ssid.isEmpty else { return true }
        return ssid == network
    }
}

/// What a provisioning shows, and how it asks.
struct WiFiScreen: Sendable {
    let printer: EventPrinter
    let person: Person?
    /// Whether the device has said how the network is secured.
    var isSecurityKnown = true

    /// Says which device it is.
    func introduce(_ device: WiFiDevice) throws {
        if printer.isJSON { return try show(.ready(device), of: device.peer, .none) }
        try line("●", .green, WiFiText.introduction(device))
        if let note = WiFiText.note(onMTUOf: device) { try line("▲", .yellow, note) }
    }

    /// Shows what the device reports.
    func show(_ report: WiFiReport, of peer: Peer, _ progress: ProgressLine) throws {
        if printer.isJSON {
            switch report {
            case .ready, .answered, .state, .joined, .trouble, .authorizationNeeded:
                if let event = report.event(of: peer) { try printer.show(event) }
            default: break
            }
            return
        }
        switch report {
        case .list, .joined, .notJoined: progress.clear()
        case .authorizationNeeded:
            progress.clear()
            try line("▲", .yellow, WiFiAuthorizationNeeded(peer).line.text)
        default: break
        }
        if let sentence = WiFiText.progress(report) { progress.show(PrintableText.escaped(sentence)) }
    }

    /// Asks the person, if there is one.
    func ask(_ question: WiFiProvisioning.Question) async -> WiFiProvisioning.Answer? {
        guard let person else { return .nobody }
        do {
            try introduce(question)
        } catch {
            return .nobody
        }
        let prompt = PrintableText.escaped(WiFiText.prompt(question))
        if case .password = question { return await person.askHidden(prompt).map { .password($0) } }
        let text = await person.ask(prompt)?.trimmingCharacters(in: .whitespaces)
        return Self.answer(text, to: question)
    }

    /// Says what was wrong with an answer.
    func explain(_ problem: WiFiProvisioning.Problem) throws {
        if !printer.isJSON { try line("▲", .yellow, WiFiText.sentence(problem)) }
    }

    /// Says how it ended.
    ///
    /// - Throws: ``CommandError`` when the device is not in the network.
    func finish(_ end: WiFiProvisioning.End) throws {
        switch end {
        case .joined(let state):
            if !printer.isJSON { try line("●", .green, WiFiText.sentence(state)) }
        case .notJoined(let failure, let password):
            throw WiFiOptions.error(failure, password: password, isSecurityKnown: isSecurityKnown)
        case .noNetwork: throw CommandError.failed("No network was chosen; nothing was written.")
        case .noPassword: throw CommandError.failed("No password was given; nothing was written.")
        case .notConfirmed: throw CommandError.failed("Nothing was written.")
        case .fault(let fault): throw CommandError.wrongUsage(WiFiText.sentence(fault))
        }
    }

    private func introduce(_ question: WiFiProvisioning.Question) throws {
        switch question {
        case .network(let networks):
            let table = printer.output.terminal.drawn(TextTable(networks, isNumbered: true))
            try printer.output.line(
                networks.isEmpty ? "The device hears no network." : table.joined(separator: "\n"))
        case .another(let failure, let network, let password):
            try line(
                "▲", .yellow,
                WiFiText.sentence(
                    failure, password: password, isSecurityKnown: network.security != .unknown))
        case .name, .password, .confirmation: break
        }
    }

    private static func answer(_ text: String?, to question: WiFiProvisioning.Question)
        -> WiFiProvisioning.Answer
    {
        guard let text else { return .nobody }
        let word = text.lowercased()
        switch question {
        case .network:
            switch word {
            case "q": return .no
            case "r": return .lookAgain
            default: return Int(text).map { .network($0 &- 1) } ?? .unclear
            }
        case .name: return .name(WireText(text))
        case .password: return .nobody
        case .confirmation: return word.hasPrefix("y") ? .yes : .no
        case .another:
            switch word {
            case "n", "no", "q": return .no
            case "l": return .lookAgain
            default: return .yes
            }
        }
    }

    private func line(_ mark: String, _ style: TextStyle, _ sentence: String) throws {
        let output = printer.output
        try output.line(output.terminal.styled(mark, style) + " " + PrintableText.escaped(sentence))
    }
}
