// SPDX-License-Identifier: Apache-2.0

/// A radio that this machine offers.
public struct RadioOffered: Event, Hashable, Sendable {
    /// What kind of radio it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A Bluetooth adapter that the kernel drives.
        case adapter
        /// An adapter through the system's Bluetooth service.
        case systemService = "system_service"
        /// A serial port, behind which a controller may be.
        case serialPort = "serial_port"
        /// The virtual air.
        case simulation
    }

    /// Its name.
    public static let name: StaticString = "radio_offered"
    /// When it happens.
    public static let summary: StaticString = "A radio that this machine offers."

    /// What `--radio` takes for it.
    public let radio: String
    /// What kind of radio it is.
    public let kind: Kind
    /// What its maker calls it; `nil` when nothing says.
    public let product: String?
    /// Its public address; `nil` when it does not say.
    public let publicAddress: String?
    /// Whether it can be opened at this moment; of a serial port, whether the port can.
    public var isUsable: Bool { obstacle == nil }
    /// Why it cannot be used, and what to do; without a full stop.
    public let obstacle: String?
    /// Whether commands use it when no radio is named.
    public let isDefault: Bool

    /// Makes the event.
    public init(
        _ radio: String, _ kind: Kind, product: String? = nil, publicAddress: String? = nil,
        obstacle: String? = nil,
        isDefault: Bool = false
    ) {
        self.radio = radio
        self.kind = kind
        self.product = product
        self.publicAddress = publicAddress
        self.obstacle = obstacle
        self.isDefault = isDefault
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("radio", "What --radio takes for it.") { $0.radio }
        schema.word("kind", "What kind of radio it is.", of: Kind.allCases.map { $0.rawValue }) {
            $0.kind.rawValue
        }
        schema.text("product", "What its maker calls it, where something says.") { $0.product }
        schema.text("public_address", "Its public address, where it says.") { $0.publicAddress }
        schema.flag("usable", "Whether it can be opened at this moment.") { $0.isUsable }
        schema.text("obstacle", "Why it cannot be used, and what to do.") { $0.obstacle }
        schema.flag("default", "Whether commands use it when no radio is named.") { $0.isDefault }
    }
}

/// A radio was looked over.
public struct RadioChecked: Event, Hashable, Sendable {
    /// A command that the controller did not carry out when the radio was started.
    public struct Refusal: EventPart, Hashable, Sendable {
        /// Its name and code.
        public let command: String
        /// Why.
        public let reason: String

        /// Makes a refusal.
        public init(_ command: String, _ reason: String) { (self.command, self.reason) = (command, reason) }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("command", "The command's name and code.") { $0.command }
            schema.text("reason", "Why it was not carried out.") { $0.reason }
        }
    }

    /// Something that the check has found out, for a person to know.
    public enum Finding: String, Hashable, Sendable, CaseIterable {
        /// It hears devices.
        case hears
        /// It hears nothing.
        case hearsNothing = "hears_nothing"
        /// It would not scan.
        case cannotScan = "cannot_scan"
        /// It has only what Bluetooth 4 had: 31 octets of advertising, LE 1M.
        case legacyOnly = "legacy_only"
        /// Its packets on the air hold 27 octets.
        case noDataLength = "no_data_length"
        /// It has no address of its own.
        case noAddress = "no_address"
        /// It shares its buffers with classic Bluetooth.
        case sharedBuffers = "shared_buffers"
        /// It lacks commands that matter.
        case lacksCommands = "lacks_commands"
        /// It has refused commands.
        case refusedCommands = "refused_commands"
    }

    /// Its name.
    public static let name: StaticString = "radio_checked"
    /// When it happens.
    public static let summary: StaticString = "A radio was looked over: what it is, can and hears."

    /// What `--radio` was.
    public var radio: String
    /// Who made the controller; `nil` when it would not say or the maker is not known.
    public var company: String?
    /// The maker's number.
    public var companyNumber: Int?
    /// The version of Bluetooth that it has, such as `5.1`.
    public var version: String?
    /// The maker's number of that version.
    public var revision: Int?
    /// The same of the link layer.
    public var subversion: Int?
    /// The address that its maker has given it.
    public var publicAddress: String?
    /// The address that this program uses on it.
    public var ownAddress: String?
    /// Whether it has classic Bluetooth, too.
    public var isDualMode = false
    /// Whether it is used with the extended commands of Bluetooth 5.
    public var isExtended = false
    /// Whether its packets on the air may hold more than 27 octets.
    public var hasDataLength = false
    /// The names of its LE features, as far as they are known here.
    public var features: [String] = []
    /// Its LE features: 8 octets.
    public var featureOctets: [UInt8] = []
    /// The commands that it says it knows: 64 octets.
    public var commandOctets: [UInt8]?
    /// Commands that matter here and that it says it lacks.
    public var missingCommands: [String] = []
    /// What start-up has not got.
    public var refusals: [Refusal] = []
    /// Octets of a data packet to it.
    public var bufferLength = 0
    /// How many data packets it holds.
    public var buffers = 0
    /// Whether these buffers are shared with classic Bluetooth.
    public var sharesBuffers = false
    /// How many addresses its filter accept list holds.
    public var acceptListSize = 0
    /// Octets that one advertisement can have.
    public var advertisingLength = 31
    /// How long it has listened, in seconds.
    public var seconds: Double = 0
    /// Reports of advertisers that have come in.
    public var reports = 0
    /// Devices that were heard.
    public var devices = 0
    /// How strong the strongest was, in dBm; `nil` when nothing was heard, or nothing says.
    public var strongest: Int?
    /// Why it would not scan.
    public var scanRefusal: String?

    /// Makes the event, with nothing known.
    public init(_ radio: String) { self.radio = radio }

    /// What all of it means, most important first.
    public var findings: [Finding] {
        var findings: [Finding] = [scanRefusal != nil ? .cannotScan : devices > 0 ? .hears : .hearsNothing]
        if !missingCommands.isEmpty { findings.append(.lacksCommands) }
        if !refusals.isEmpty { findings.append(.refusedCommands) }
        if !isExtended { findings.append(.legacyOnly) }
        if !hasDataLength { findings.append(.noDataLength) }
        if publicAddress == nil { findings.append(.noAddress) }
        if sharesBuffers { findings.append(.sharedBuffers) }
        return findings
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("radio", "What --radio was.") { $0.radio }
        schema.text("company", "Who made the controller, where that is known.") { $0.company }
        schema.integer("company_id", "The maker's number.") { $0.companyNumber }
        schema.text("version", "The version of Bluetooth that it has.") { $0.version }
        schema.integer("revision", "The maker's number of its HCI.") { $0.revision }
        schema.integer("subversion", "The maker's number of its link layer.") { $0.subversion }
        schema.text("public_address", "The address that its maker has given it.") { $0.publicAddress }
        schema.text("own_address", "The address that this program uses on it.") { $0.ownAddress }
        schema.flag("dual_mode", "Whether it has classic Bluetooth, too.") { $0.isDualMode }
        schema.flag("extended", "Whether it is used with the extended commands of Bluetooth 5.") {
            $0.isExtended
        }
        schema.flag("data_length", "Whether its packets on the air may hold more than 27 octets.") {
            $0.hasDataLength
        }
        schema.list("features", "The names of its LE features, as far as they are known.") { $0.features }
        schema.octets("feature_octets", "Its LE features.") { $0.featureOctets }
        schema.octets("command_octets", "The commands that it says it knows.") { $0.commandOctets }
        schema.list("missing_commands", "Commands that matter and that it says it lacks.") {
            $0.missingCommands
        }
        schema.list("refusals", "What it did not carry out when it was started.") { $0.refusals }
        schema.integer("buffer_length", "Octets of a data packet to it.") { $0.bufferLength }
        schema.integer("buffers", "How many data packets it holds.") { $0.buffers }
        schema.flag("buffers_shared", "Whether these are shared with classic Bluetooth.") { $0.sharesBuffers }
        schema.integer("accept_list_size", "How many addresses its filter accept list holds.") {
            $0.acceptListSize
        }
        schema.integer("advertising_length", "Octets that one advertisement can have.") {
            $0.advertisingLength
        }
        schema.number("seconds", "How long it has listened.") { $0.seconds }
        schema.integer("reports", "Reports of advertisers that have come in.") { $0.reports }
        schema.integer("devices", "Devices that were heard.") { $0.devices }
        schema.integer("strongest", "How strong the strongest was, in dBm.") { $0.strongest }
        schema.text("scan_refusal", "Why it would not scan.") { $0.scanRefusal }
        schema.list("findings", "What it means, in words that a program may look for.") {
            $0.findings.map { $0.rawValue }
        }
    }
}
