// SPDX-License-Identifier: Apache-2.0

/// A descriptor of somebody else that a loop watches for them.
///
/// It stays its owner's, who ends the watch before closing it; nobody else watches it. The loop holds this until
/// ``end()``. Unchecked: only touched on the loop.
package final class LoopDescriptor: DescriptorHandler, @unchecked Sendable {
    private let loop: TransportLoop
    private var watch: Watch?
    private var body: (@Sendable () -> Void)?

    /// Watches a descriptor for nothing yet; only on the loop.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - loop: Who watches it.
    ///   - body: Called on the loop whenever it is ready, has an error, or its other side is gone.
    package init(_ descriptor: CInt, on loop: TransportLoop, _ body: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.body = body
        watch = loop.core.waiting.watch(descriptor, self)
    }

    /// Says what it is watched for from now on; nothing lets it rest.
    ///
    /// Only on the loop.
    package func watch(toRead: Bool, toWrite: Bool) {
        guard let watch else { return }
        var readiness: Readiness = []
        if toRead { readiness.insert(.read) }
        if toWrite { readiness.insert(.write) }
        loop.core.waiting.change(watch, to: readiness)
    }

    /// Watches it no more; only on the loop.
    package func end() {
        guard let watch else { return }
        self.watch = nil
        body = nil
        loop.core.waiting.unwatch(watch)
    }

    func ready(for readiness: Readiness) { body?() }

    func loopEnded() { end() }
}
