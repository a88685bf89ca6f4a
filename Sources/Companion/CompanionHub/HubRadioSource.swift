// SPDX-License-Identifier: Apache-2.0

public import BluetoothLE
public import Companion
public import Foundation
public import HubModel

/// Where a hub gets its radio from.
public protocol HubRadioSource: Sendable {
    /// What the radio is called before one was opened.
    var name: String { get }
    /// Whether its devices are invented.
    var isSimulated: Bool { get }
    /// Links that it may have open at once.
    var maximumConnections: Int { get }
    /// Records what passes to and from the radio, also to one that is opened later; `nil` where that cannot be.
    var capture: (any HubCapturing)? { get }

    /// Opens the radio; whoever opens it closes it.
    ///
    /// - Returns: What it is called, and the radio.
    /// - Throws: ``RadioError``.
    func open() async throws(RadioError) -> (name: String, radio: Radio)
}

extension HubRadioSource {
    /// It has no invented devices.
    public var isSimulated: Bool { false }
    /// As many as most controllers have.
    public var maximumConnections: Int { 7 }
    /// It records nothing.
    public var capture: (any HubCapturing)? { nil }
}

/// A radio of this machine, opened whenever a hub needs it.
public struct RadioSource: HubRadioSource {
    /// What the radio is called.
    public let name: String
    private let opening: @Sendable () async throws -> Radio

    /// Names a radio.
    ///
    /// - Parameters:
    ///   - name: What it is called, for people.
    ///   - open: Opens it: once, and again whenever it was lost.
    public init(_ name: String, open: @escaping @Sendable () async throws -> Radio) {
        self.name = name
        opening = open
    }

    /// Opens the radio.
    ///
    /// - Returns: What it is called, and the radio.
    /// - Throws: ``RadioError`` with what the closure has thrown.
    public func open() async throws(RadioError) -> (name: String, radio: Radio) {
        do {
            return (name, try await opening())
        } catch let error as RadioError {
            throw error
        } catch BluetoothError.unauthorized(let how) {
            throw RadioError(
                .forbidden, title: "\(name) is not allowed",
                text: "\(BluetoothError.unauthorized(how))")
        } catch {
            throw RadioError(.missing, title: "\(name) cannot be used", text: "\(error)")
        }
    }
}

/// Why a radio cannot be used, and what to do about it.
public struct RadioError: Error, Hashable, Sendable {
    /// What it is at.
    public var condition: HubRadioState.Condition
    /// That in some words.
    public var title: String
    /// What is wrong and what to do, in a sentence or two.
    public var text: String
    /// What to type on the hub.
    public var commands: [String]

    /// Makes an error.
    public init(
        _ condition: HubRadioState.Condition, title: String, text: String, commands: [String] = []
    ) {
        self.condition = condition
        self.title = title
        self.text = text
        self.commands = commands
    }
}

extension RadioError: LocalizedError {
    /// What is wrong and what to do.
    public var errorDescription: String? { text }
}

/// Records a radio's traffic into a file.
public protocol HubCapturing: Sendable {
    /// Begins a new file.
    func start(_ path: String) throws(BadInput)
    /// Ends the file.
    func stop()
    /// Waits until all that has passed is in the file, a few seconds at most.
    func flush() async
    /// What there is of the file that was begun last: its octets, its packets, and why it has ended by itself, or what it lacks.
    var progress: (octets: Int64, packets: Int, failure: String?) { get }
}
