// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A descriptor at which clients arrive, on a loop.
///
/// Unchecked: only touched on the loop.
final class ListeningDescriptor: DescriptorHandler, @unchecked Sendable {
    /// Clients that are taken in one turn.
    private static let turnLimit = 16
    /// How long it rests when the process may open no more descriptors, in milliseconds.
    private static let rest: UInt64 = 200

    private let core: LoopCore
    private let descriptor: CInt
    private let arrived: @Sendable (CInt, _ name: String) -> Void
    private var watch: Watch?
    private var timer: LoopCore.Timer?
    private var isClosed = false

    /// Starts to take clients.
    ///
    /// - Parameters:
    ///   - descriptor: A socket that listens; it is closed with this.
    ///   - core: The loop.
    ///   - arrived: Called on the loop with each client's descriptor and where it comes from.
    init(_ descriptor: CInt, _ core: LoopCore, _ arrived: @escaping @Sendable (CInt, _ name: String) -> Void)
    {
        self.descriptor = descriptor
        self.core = core
        self.arrived = arrived
        core.execute {
            self.watch = core.waiting.watch(descriptor, self)
            self.listen(true)
        }
    }

    /// Listens no more; from any thread.
    ///
    /// - Parameter closed: Called on the loop once the port is free.
    func close(_ closed: @escaping @Sendable () -> Void = {}) {
        if core.isCurrent { loopEnded() }
        core.execute {
            self.loopEnded()
            closed()
        }
    }

    func ready(for readiness: Readiness) {
        for _ in 0..<Self.turnLimit {
            let (result, endpoint) = acceptClient(descriptor)
            switch result {
            case .done(let client): arrived(CInt(client), endpoint.name)
            case .mustWait: return
            case .failed(let number) where isOfOneClient(number): continue
            case .failed:
                // Out of descriptors or memory: the clients wait, and so must this, instead of asking again and again.
                pause()
                return
            }
        }
    }

    func loopEnded() {
        guard !isClosed else { return }
        isClosed = true
        if let watch { core.waiting.unwatch(watch) }
        if let timer { core.set(timer, to: nil) }
        (watch, timer) = (nil, nil)
        closeDescriptor(descriptor)
    }

    private func pause() {
        listen(false)
        let timer = timer ?? LoopCore.Timer { [self] in listen(true) }
        self.timer = timer
        core.set(timer, to: core.waiting.now.advanced(byMilliseconds: Self.rest))
    }

    private func listen(_ isOn: Bool) {
        if let watch { core.waiting.change(watch, to: isOn ? .read : []) }
    }
}
