// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import OverflowArea

/// How a payload is put into the map.
enum CodecChoice: String, CaseIterable, ExpressibleByArgument {
    /// In two positions in turn.
    case v1
    /// With an error-correcting code.
    case v2

    var codec: OverflowCodec {
        switch self {
        case .v1: .v1
        case .v2: .v2
        }
    }
}

extension OverflowPayload {
    /// Reads four octets in hex where nothing else can stand; for `transform:`.
    static func argument(_ text: String) throws -> OverflowPayload {
        try read(text, insteadOfService: "`lantern overflow advertise \(text)` sends it")
    }

    /// Reads four octets in hex after `--payload`, beside which services stand bare; for `transform:`.
    static func option(_ text: String) throws -> OverflowPayload {
        try read(text, insteadOfService: "write \(text) without --payload")
    }

    private static func read(
        _ text: String, insteadOfService advice: @autoclosure () -> String
    ) throws -> OverflowPayload {
        if let octets = [UInt8](typed: text), let payload = OverflowPayload(octets: octets) { return payload }
        if (try? BluetoothUUID.service(text)) != nil {
            throw ValidationError("\(text) is a service: \(advice()).")
        }
        throw ValidationError("A payload has four octets: 8 hex digits, for example 01020304.")
    }
}

/// What a word says that is to be advertised.
enum OverflowWord {
    case payload(OverflowPayload)
    case service(BluetoothUUID)

    /// Reads four octets in hex, or a service; for `transform:`.
    static func argument(_ text: String) throws -> OverflowWord {
        if let octets = [UInt8](typed: text), let payload = OverflowPayload(octets: octets) {
            return .payload(payload)
        }
        guard let uuid = try? BluetoothUUID.service(text) else {
            throw ValidationError(
                "\(text) is neither a payload of 8 hex digits, for example 01020304, nor a service such as fd6f or heart-rate."
            )
        }
        return .service(uuid)
    }
}

extension [OverflowWord] {
    /// The payloads among them.
    var payloads: [OverflowPayload] {
        compactMap { if case .payload(let payload) = $0 { payload } else { nil } }
    }

    /// The services among them.
    var services: [BluetoothUUID] {
        compactMap { if case .service(let uuid) = $0 { uuid } else { nil } }
    }
}

/// What counts as pollution.
enum PollutionReading: String, CaseIterable, ExpressibleByArgument {
    /// The whole half of the map.
    case bank
    /// The five octets of a message.
    case pattern

    var reading: OverflowBanks.Reading {
        switch self {
        case .bank: .bank
        case .pattern: .pattern
        }
    }
}

/// How messages of `v1` are judged.
struct PollutionOptions: ParsableArguments {
    @Option(
        name: .customLong("pollution"),
        help: ArgumentHelp(
            "v1: what must be empty of the half without the message: all of it (bank), or the five octets of a "
                + "message (pattern), as the demo app does.", valueName: "reading"))
    var pollution = PollutionReading.bank
}

/// How long an advertisement stays.
struct IntervalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How long each advertisement stays (5; in a sequence 1).", valueName: "seconds"))
    var interval: Seconds?

    func validate() throws {
        if let interval, interval.duration < .milliseconds(100) {
            throw ValidationError("An interval has at least 0.1 s.")
        }
    }

    /// The interval as the sender takes it.
    var milliseconds: UInt64? { interval.map { UInt64($0.duration / .milliseconds(1)) } }
}

/// What a person should know before a map goes on the air.
enum OverflowWarning {
    /// Warns when a map has the bit of Apple's Watch set-up.
    ///
    /// - Parameters:
    ///   - map: The map.
    ///   - what: What sets it.
    ///   - output: Where to say it; stderr.
    static func show(for map: OverflowMap, _ what: String, on output: Output = .standardError()) {
        guard map.contains(.watchSetup) else { return }
        // Who closes stderr does not want to know.
        try? output.line(
            "lantern: \(what) sets the bit of Apple's Watch set-up, bit 66 (table index 69): iPhones nearby may show a card for it."
        )
    }

    /// Warns of what a sender will put on the air.
    static func show(for content: OverflowSender.Content, on output: Output = .standardError()) {
        switch content {
        case .payload(let payload, .v1):
            show(for: OverflowBanks.map(of: payload, at: .second), "Position 1 of v1", on: output)
        case .services(let uuids): show(for: OverflowMap(services: uuids), "This", on: output)
        case .payload(_, .v2), .sequence: break
        }
    }
}
