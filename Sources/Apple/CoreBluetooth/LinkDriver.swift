// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import VirtualPhone

/// Opens the link that an app wants, goes on with it until it ends, and opens it again where the app wants that.
///
/// It has no time limit: it ends when its task is cancelled, which the app does by cancelling the connection or letting go of
/// the peripheral, and when the link cannot be opened or is lost.
struct LinkDriver: Sendable {
    let peripheral: Reference<CBPeripheral>
    let peer: Peer
    let phone: VirtualPhone
    let holder: PhoneLinks.Holder
    let reconnects: Bool
    let delay: Duration

    func run(_ callbacks: CallbackQueue) async {
        if delay > .zero { try? await phone.radio.sleep(for: delay) }
        repeat {
            guard !Task.isCancelled, let connection = await open(callbacks) else { break }
            let session = LinkSession(connection)
            await callbacks.deliver { [peripheral] in _ = peripheral.object?.opened(session) }
            let error = await session.run(callbacks) { [peripheral] event in
                peripheral.object?.happened(event)
            } called: { [peripheral, phone, peer] name in
                // What is known already is nothing to tell.
                guard phone.name(of: peer) != name else { return nil }
                return { peripheral.object?.isCalled(name) }
            }
            let isReconnecting = reconnects && error != nil && !Task.isCancelled
            // Nobody else may want it: then it is gone before the app is told.
            await phone.links.leave(peer, holder)
            await callbacks.deliver { [peripheral] in
                peripheral.object?.ended(error, isReconnecting: isReconnecting)
            }
            guard isReconnecting else { break }
        } while true
        await phone.links.leave(peer, holder)
    }

    private func open(_ callbacks: CallbackQueue) async -> Connection? {
        await withTaskCancellationHandler {
            do throws(BluetoothError) {
                return try await phone.links.connect(to: peer, holder)
            } catch {
                await callbacks.deliver { [peripheral] in
                    if error != .cancelled { peripheral.object?.failed(error) }
                }
                return nil
            }
        } onCancel: {
            let (links, peer, holder) = (phone.links, peer, holder)
            Task(executorPreference: phone.radio.executor) { await links.leave(peer, holder) }
        }
    }
}
