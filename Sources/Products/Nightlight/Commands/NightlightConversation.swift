// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import Nightlight

/// A conversation with a lamp.
typealias NightlightConversation = DeviceConversation<NightlightClient>

extension NightlightClient: ConversableSession {
    static func report(in event: NightlightEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    static func wrongDevice(_ target: DeviceAddress, missing: [BluetoothUUID]) -> String {
        let names = missing.map(\.description).joined(separator: ", ")
        return
            "\(target) is not a Smart Nightlight: it lacks \(names). Nothing was written; check the address."
    }
}

/// What every command takes that talks to a lamp.
struct NightlightOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    /// Connects, reads everything, and lets a command do its work.
    ///
    /// - Parameters:
    ///   - address: The lamp.
    ///   - body: The work; it gets what the lamp has.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError`` and what the body throws.
    func use<Value: Sendable>(
        _ address: DeviceAddress,
        _ body: @escaping @Sendable (inout NightlightConversation, NightlightValues) async throws -> Value
    ) async throws -> Value {
        let progress = format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        return try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            let options = NightlightClient.Options(
                target: address.target, reconnects: false, seed: .random(in: 0 ... .max))
            return try await NightlightConversation.hold(
                NightlightClient(options: options), with: address, on: radio, phys: phyOptions.phys
            ) { conversation in
                progress.show("Looking for \(address)…")
                let values = try await conversation.ready(showing: progress)
                progress.clear()
                return try await body(&conversation, values)
            }
        }
    }

    /// Writes settings, and prints what came of it.
    ///
    /// - Parameters:
    ///   - settings: What to write, in order.
    ///   - address: The lamp.
    ///   - sentence: Says it to a person.
    ///   - json: Says it to scripts.
    /// - Throws: As ``use(_:_:)``.
    func set(
        _ settings: [NightlightSetting], at address: DeviceAddress,
        _ sentence: @escaping @Sendable (NightlightValues) -> String,
        json: @escaping @Sendable (NightlightValues) -> String
    ) async throws {
        let values = try await use(address) { conversation, _ in try await conversation.set(settings) }
        try Output.standard().line(format.isJSON ? json(values) : sentence(values))
    }
}

extension DeviceConversation where Session == NightlightClient {
    /// Waits until everything was read.
    ///
    /// - Parameter progress: Where to say how far it is.
    /// - Returns: What the lamp has.
    /// - Throws: ``CommandError`` when it is not there or is another kind of device.
    mutating func ready(showing progress: Progress) async throws -> NightlightValues {
        while true {
            switch try await next() {
            case .state(let report) where report.state == .discovering:
                progress.show("Reading \(target)…")
            case .ready(_, _, let values): return values
            default: break
            }
        }
    }

    /// Writes settings one after the other; the first that is refused ends it.
    ///
    /// - Parameter settings: What to write, in order.
    /// - Returns: What the lamp has then.
    /// - Throws: ``CommandError`` that says what was refused and why.
    @discardableResult
    mutating func set(_ settings: [NightlightSetting]) async throws -> NightlightValues {
        for setting in settings {
            await say { $0.set(setting, at: $1) }
            try await wait(for: setting.item)
        }
        return try await values()
    }

    private mutating func wait(for item: NightlightItem) async throws {
        while true {
            switch try await next() {
            case .written(item): return
            case .refused(item, let failure):
                throw CommandError.failed(NightlightText.refusal(item, failure))
            // What a clock shows then says more than its octets.
            case .notKept(item)
            where item == .localTimeInformation || item == .timeWithDST || item == .currentTime:
                return
            case .notKept(item):
                throw CommandError.failed(
                    "The lamp took \(NightlightText.name(item)) but keeps something else. Update its firmware, then "
                        + "try again.")
            case .missing(item):
                throw CommandError.failed(
                    "This lamp has no \(NightlightText.plainName(item)) (\(item.uuid)); nothing was written.")
            default: break
            }
        }
    }

    /// What the lamp has now, as far as the client knows.
    mutating func values() async throws -> NightlightValues {
        await say { client, _ in client.reportValues() }
        while true {
            if case .values(let values) = try await next() { return values }
        }
    }
}

/// On or off, as a person writes it.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on
    case off

    var isOn: Bool { self == .on }
}
