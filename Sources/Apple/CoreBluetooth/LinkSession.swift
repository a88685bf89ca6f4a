// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Synchronization

/// What goes on over one open link for one app: its requests in the order in which they were made, one at a time, and what
/// comes of them in line with what the device sends.
///
/// Requests wait without a limit, as there; commands do not, see ``CBPeripheral/canSendWriteWithoutResponse``. When the link
/// ends, nothing more is told of those that wait.
final class LinkSession: Sendable {
    /// Makes a request; gives what the app is told of its answer.
    typealias Request = @Sendable (LinkSession) async -> @Sendable () -> Void

    let connection: Connection
    let subscriber: Connection.Subscriber
    private let line: OrderedLink
    private let requests: AsyncStream<Request>
    private let asked: AsyncStream<Request>.Continuation

    init(_ connection: Connection) {
        self.connection = connection
        subscriber = connection.makeSubscriber()
        line = connection.ordered()
        (requests, asked) = AsyncStream.makeStream()
    }

    /// Makes a request after those before.
    func ask(_ request: @escaping Request) { asked.yield(request) }

    /// Makes requests, and gives what comes to the app, until the link ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - callbacks: Where the app is told.
    ///   - tell: Tells the app of what the device has done by itself.
    /// - Returns: Why the link has ended; `nil` when it was the task.
    func run(
        _ callbacks: CallbackQueue, _ tell: @escaping @Sendable (LinkEvent) -> Void
    ) async -> BluetoothError? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await request in requests {
                    guard !Task.isCancelled else { return }
                    await line.perform { await request(self) }
                }
            }
            let reason = await follow(callbacks, tell)
            asked.finish()
            group.cancelAll()
            return reason
        }
    }

    private func follow(
        _ callbacks: CallbackQueue, _ tell: @escaping @Sendable (LinkEvent) -> Void
    ) async -> BluetoothError? {
        do throws(BluetoothError) {
            for try await event in line.events {
                if case .answered(let request, let attempt) = event {
                    guard let completion = await request.completion(of: attempt) else { continue }
                    await callbacks.deliver(completion)
                } else {
                    await callbacks.deliver { tell(event) }
                }
            }
            // This side has closed it, or looks at it no more.
            return nil
        } catch {
            return error
        }
    }
}
