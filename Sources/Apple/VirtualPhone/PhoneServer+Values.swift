// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
package import BluetoothLE
import Synchronization

// What devices are sent: each app has a line to each device, in which a value waits until the link has room, an indication until the
// one before it was confirmed. A device that is slow holds up its own lines only; how many values wait is the app's to bound.
extension PhoneServer {
    /// A line of an app to a device.
    struct Line: Hashable {
        let owner: Owner
        let client: Server.Client
    }

    /// An indication that is on its way.
    struct Confirmation: Hashable {
        let client: Server.Client
        let handle: AttributeHandle
    }

    /// A value that waits for one device.
    struct Sending {
        let value: [UInt8]
        let spot: Spot
        let whole: Whole
    }

    /// A value that goes to several devices: done when it has gone to all, or cannot.
    final class Whole: Sendable {
        private let left: Atomic<Int>
        private let done: @Sendable () -> Void

        init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
            left = Atomic(count)
            self.done = done
        }

        func goneToOne() { if left.subtract(1, ordering: .relaxed).newValue == 0 { done() } }
    }

    /// What an app gives to be sent.
    enum Outgoing: Sendable {
        case answer(@Sendable () async -> Void)
        case value([UInt8], of: Spot, Owner, to: [Server.Client], Whole)
    }

    /// Sends a value to devices that have subscribed, after all that was sent to each before.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds a link's room is cut off.
    ///   - spot: Of what.
    ///   - owner: Whose it is.
    ///   - clients: To whom; at least one.
    ///   - done: Called once, when each has been sent it, or is gone or wants it no more.
    package nonisolated func send(
        _ value: [UInt8], of spot: Spot, _ owner: Owner, to clients: [Server.Client],
        done: @escaping @Sendable () -> Void
    ) {
        let whole = Whole(clients.count, done)
        if case .terminated = sendings.yield(.value(value, of: spot, owner, to: clients, whole)) {
            for _ in clients { whole.goneToOne() }
        }
    }

    func take(_ outgoing: Outgoing) async {
        switch outgoing {
        case .answer(let give): await give()
        case .value(let value, let spot, let owner, let clients, let whole):
            for client in clients {
                let line = Line(owner: owner, client: client)
                lines[line, default: []].append(Sending(value: value, spot: spot, whole: whole))
                guard lines[line]?.count == 1 else { continue }
                // Ends with the line, in which nothing waits longer than the link lasts.
                Task(executorPreference: radio.executor) { await self.work(off: line) }
            }
        }
    }

    private func work(off line: Line) async {
        while let next = lines[line]?.first {
            await send(next, to: line.client)
            lines[line]?.removeFirst()
            next.whole.goneToOne()
        }
        lines[line] = nil
    }

    private func send(_ sending: Sending, to client: Server.Client) async {
        guard let server, let handle = spots.first(where: { $0.value == sending.spot })?.key,
            let subscription = visitors[client]?.subscriptions[handle]
        else { return }
        guard !subscription.contains(.notify) else {
            // Not sent means that the device is gone.
            _ = try? await server.notify(sending.value, of: handle, to: client)
            return
        }
        let confirmation = Confirmation(client: client, handle: handle)
        confirmations.updateValue(nil, forKey: confirmation)
        guard (try? await server.indicate(sending.value, of: handle, to: client)) == true else {
            confirmations[confirmation] = nil
            return
        }
        // Resumed when it is confirmed, is wanted no more, or the device, the service or the server is gone.
        await withCheckedContinuation { waiter in
            if confirmations[confirmation] == nil {
                waiter.resume()
            } else {
                confirmations.updateValue(waiter, forKey: confirmation)
            }
        }
    }

    /// An indication is on its way no more.
    func confirmed(_ confirmation: Confirmation) {
        confirmations.removeValue(forKey: confirmation)??.resume()
    }
}
