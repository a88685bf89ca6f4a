// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import Companion

extension WiFiLink {
    /// Asks for the list of networks and waits for its end.
    ///
    /// - Parameter observe: Gets what comes meanwhile.
    /// - Returns: The list.
    /// - Throws: ``WiFiError`` when there is none, and what `observe` throws.
    public nonisolated(nonsending) mutating func networks(
        _ observe: (WiFiReport) throws -> Void = { _ in }
    ) async throws -> HeardNetworks {
        try await request(.list)
        while true {
            let report = try await next()
            try observe(report)
            switch report {
            case .list(let list): return list
            // Why the link is gone the next report says, by not coming.
            case .listFailed(let failure) where failure != .linkLost: throw failure
            default: break
            }
        }
    }

    /// The state of the device's Wi-Fi.
    ///
    /// - Returns: The state.
    /// - Throws: ``WiFiError`` when the device does not say it.
    public nonisolated(nonsending) mutating func state() async throws -> WiFiDeviceState {
        if let state = device.state { return state }
        try await request(.state)
        while true {
            switch try await next() {
            case .state(let state): return state
            case .stateFailed(let failure) where failure != .linkLost: throw failure
            default: break
            }
        }
    }

    /// Has the device show itself, by a light or a sound.
    ///
    /// - Throws: ``WiFiError`` when it cannot.
    public nonisolated(nonsending) mutating func identify() async throws {
        try await request(.identify)
        while true {
            switch try await next() {
            case .identified: return
            case .identifyFailed(let failure) where failure != .linkLost: throw failure
            default: break
            }
        }
    }

    /// What the device says that it is.
    ///
    /// - Returns: The description; `nil` when the protocol has none or the device says nothing.
    /// - Throws: When the link is gone.
    public nonisolated(nonsending) mutating func description() async throws -> WiFiDeviceDescription? {
        do {
            try await request(.describe)
        } catch is WiFiError {
            return nil
        }
        while true {
            switch try await next() {
            case .description(let description): return description
            case .descriptionFailed(let failure) where failure != .linkLost: return nil
            default: break
            }
        }
    }

    /// Runs a provisioning to its end.
    ///
    /// - Parameters:
    ///   - provisioning: The machine, which has begun.
    ///   - ask: Asks a person; `nil` when there is nobody. Cancelled when the link ends.
    ///   - explain: Called with what was wrong with an answer.
    ///   - observe: Called with each report.
    /// - Returns: How it ended.
    /// - Throws: When the link is gone, ``WiFiError`` when there is no list, and what the closures throw.
    public nonisolated(nonsending) mutating func lead(
        _ provisioning: consuming WiFiProvisioning,
        @_inheritActorContext ask:
            @escaping @Sendable (WiFiProvisioning.Question) async -> WiFiProvisioning.Answer?,
        explain: (WiFiProvisioning.Problem) throws -> Void = { _ in },
        observe: (WiFiReport) throws -> Void = { _ in }
    ) async throws -> WiFiProvisioning.End {
        while let step = provisioning.nextStep() {
            switch step {
            case .list:
                do {
                    provisioning.listed(try await networks(observe).networks)
                } catch let failure as WiFiError {
                    guard provisioning.notListed() else { throw failure }
                }
            case .explain(let problem): try explain(problem)
            case .ask(let question):
                provisioning.answer(try await whileConnected { await ask(question) } ?? .nobody)
            case .send(var secret):
                defer { secret.wipe() }
                try await send(secret, to: &provisioning, observe)
            case .end(let end): return end
            }
        }
        return .notConfirmed
    }

    private nonisolated(nonsending) mutating func send(
        _ secret: WiFiSecret, to provisioning: inout WiFiProvisioning, _ observe: (WiFiReport) throws -> Void
    ) async throws {
        try await request(.send(secret))
        var isSent = false
        while true {
            let report: WiFiReport
            do {
                report = try await next()
            } catch let failure as ConnectionError {
                guard isSent, case .failed(.lost) = failure else { throw failure }
                return provisioning.notJoined(.linkLost)
            }
            if case .sent = report { isSent = true }
            try observe(report)
            switch report {
            case .joined(let state, _): return provisioning.joined(state)
            case .notJoined(let failure) where failure != .linkLost: return provisioning.notJoined(failure)
            default: break
            }
        }
    }
}
