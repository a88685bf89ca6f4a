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
    ///   - called: Takes in what the device calls itself, which a phone reads.
    /// - Returns: Why the link has ended; `nil` when it was the task.
    func run(
        _ callbacks: CallbackQueue, _ tell: @escaping @Sendable (LinkEvent) -> Void,
        called: @escaping @Sendable (String) -> (@Sendable () -> Void)?
    ) async -> BluetoothError? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await request in requests {
                    guard !Task.isCancelled else { return }
                    await line.perform { await request(self) }
                }
            }
            group.addTask { [self] in await readName(callbacks, called) }
            let reason = await follow(callbacks, tell)
            asked.finish()
            group.cancelAll()
            return reason
        }
    }

    private func readName(
        _ callbacks: CallbackQueue, _ called: @Sendable (String) -> (@Sendable () -> Void)?
    ) async {
        let values = try? await connection.readValues(of: .deviceName)
        guard let octets = values?.first?.value, !octets.isEmpty else { return }
        if let tell = called(String(decoding: octets, as: UTF8.self)) { callbacks.post(tell) }
    }

    private func follow(
        _ callbacks: CallbackQueue, _ tell: @escaping @Sendable (LinkEvent) -> Void
    ) async -> BluetoothError? {
        do throws(BluetoothError) {
            for try await event in line.events {
                switch event {
                case .answered(let request, let attempt):
                    guard let completion = await request.completion(of: attempt) else { continue }
                    await callbacks.deliver(completion)
                case .value, .servicesChanged: await callbacks.deliver { tell(event) }
                // Apps are not told.
                case .change: break
                }
            }
            // This side has closed it, or looks at it no more.
            return nil
        } catch {
            return error
        }
    }
}
