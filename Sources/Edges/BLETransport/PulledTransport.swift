// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A transport that pushes, for whoever still pulls.
public final class PulledTransport: OctetTransport {
    private let base: any Transport
    private let state: StateBox

    /// Starts to read.
    public init(_ base: any Transport) {
        self.base = base
        let state = StateBox()
        self.state = state
        base.start { state.take($0) }
    }

    /// Sends octets.
    public func send(_ octets: [UInt8]) async throws(TransportError) {
        if state.isEnded { throw .lost("the other side has closed it") }
        base.send(octets)
    }

    /// Sends octets.
    public func post(_ octets: [UInt8]) -> Bool {
        base.send(octets)
        return true
    }

    /// Where octets arrive.
    public var executor: (any TaskExecutor)? { base.loop }

    /// Waits for octets.
    public nonisolated(nonsending) func receive() async throws(TransportError) -> [UInt8]? {
        try await state.receive()
    }

    /// Closes the transport.
    public func close() async { base.close() }
}

private final class StateBox: Sendable {
    private struct State {
        var octets: [UInt8] = []
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isEnded: Bool { state.withLock { $0.isEnded } }

    func take(_ input: TransportInput) {
        let waiter = state.withLock { state in
            switch input {
            case .octets(let octets): state.octets += octets
            case .ended: state.isEnded = true
            }
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    nonisolated(nonsending) func receive() async throws(TransportError) -> [UInt8]? {
        while true {
            let (octets, isEnded) = state.withLock { state in
                let octets = state.octets
                state.octets = []
                return (octets, state.isEnded)
            }
            if !octets.isEmpty { return octets }
            if isEnded { return nil }
            await withCheckedContinuation { waiter in
                let isReady = state.withLock { state in
                    guard state.octets.isEmpty, !state.isEnded else { return true }
                    state.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
        }
    }
}
