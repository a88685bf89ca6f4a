// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import WiFiSet

/// `lantern wifi provision`: gives a device its Wi-Fi.
struct WiFiProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Give a device the name and password of a Wi-Fi network.",
        discussion: """
            On a terminal it asks for what is missing: the network, from the list of those that the device hears, \
            and the password, which is not shown. Before the password is sent it shows which device it is and asks, \
            unless --yes. Ends well only when the device is in the network.

            With --ssid the device is not asked for the networks that it hears, so how that network is secured is not \
            known and an enterprise network, which WiFiSet cannot join, is not recognized.

            The password travels over Bluetooth without encryption: that is how WiFiSet works.
            """)

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var password: PasswordOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    @Option(help: ArgumentHelp("The network's name.", valueName: "name"))
    var ssid: String?

    @Option(help: ArgumentHelp("The network's name as hex octets, when it is not text.", valueName: "hex"))
    var ssidHex: String?

    @Flag(help: "Send the password without asking whether this is the right device.")
    var yes = false

    @Option(help: ArgumentHelp("Give up after so many seconds.", valueName: "seconds"))
    var timeout: Seconds?

    func validate() throws {
        if ssid != nil, ssidHex != nil { throw ValidationError("Give --ssid or --ssid-hex, not both.") }
        if let ssidHex, [UInt8](hexadecimal: ssidHex) == nil {
            throw ValidationError("--ssid-hex wants pairs of hex digits.")
        }
        if let name, !(1...WiFiSetLimit.ssid).contains(name.octets.count) {
            throw ValidationError("A network's name has 1 to 32 octets, this one has \(name.octets.count).")
        }
    }

    /// The network's name, when it was given.
    private var name: WireText? {
        ssid.map { WireText($0) } ?? ssidHex.flatMap { [UInt8](hexadecimal: $0) }.map { WireText($0) }
    }

    func run() async throws {
        let person = format.isJSON ? nil : Person.atTerminal()
        let given = try given(isAsking: person != nil)
        if radioOptions.capture != nil {
            try Output.standardError().line(
                "lantern: the capture will hold the password in clear. Delete it when it is not needed any more."
            )
        }
        let dialogue = WiFiProvisioning(
            output: .standard(), isJSON: format.isJSON, person: person, confirms: !yes)
        do {
            try await radioOptions.use { [address, phyOptions, timeout, isJSON = format.isJSON] radio in
                try await phyOptions.check(radio)
                try await WiFiConversation.hold(
                    with: address, on: radio, phys: phyOptions.phys, limit: timeout,
                    showing: isJSON ? .none : .standard()
                ) { conversation in
                    try await dialogue.run(&conversation, given)
                }
            }
        } catch  where Task.isCancelled {
            // A script must not take this for a device that is in the network.
            throw CommandError.failed("Ended before the device was in the network.")
        }
    }

    /// What the arguments give; checked before anything is sent.
    private func given(isAsking: Bool) throws(CommandError) -> WiFiProvisioning.Given {
        if !isAsking {
            if name == nil { throw .wrongUsage("Say which network with --ssid NAME or --ssid-hex HEX.") }
            if !password.isGiven {
                throw .wrongUsage(
                    "Say where the password is with --password-stdin, --password-file FILE or --open.")
            }
            if !yes {
                throw .wrongUsage(
                    "Nobody can be asked whether \(address) is the right device: add --yes to send the password to it."
                )
            }
        }
        if password.passwordStdin, isAsking, !yes {
            throw .wrongUsage("With --password-stdin nobody can be asked: add --yes.")
        }
        // How a network that is only named is secured is not known; 0xFF stands for that.
        let network = name.map {
            WiFiNetwork(
                ssid: $0, rssi: 0, security: password.isOpen ? .open : WiFiSecurity(rawValue: 0xFF),
                channel: 0)
        }
        let secret = try password.read()
        if let secret { try Self.check(name ?? "x", secret, isOpen: password.isOpen) }
        return WiFiProvisioning.Given(network: network, password: secret.map { Secret($0) })
    }

    private static func check(_ ssid: WireText, _ secret: [UInt8], isOpen: Bool) throws(CommandError) {
        do throws(WiFiCredentials.Fault) {
            let credentials = try WiFiCredentials(ssid: ssid, password: secret)
            if secret.isEmpty, !isOpen { throw .passwordMissing }
            try credentials.check(for: isOpen ? .open : WiFiSecurity(rawValue: 0xFF))
        } catch {
            throw .wrongUsage(error.description)
        }
    }
}
