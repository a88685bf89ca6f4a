// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver

// That everything still works: twenty links at once, a value read and a value sent on each.
extension SoakWorld {
    func restartClosed() {
        for radio in nodes.indices where nodes[radio].isClosed { start(radio) }
    }

    func serveAll() {
        for radio in SoakStep.centrals..<SoakStep.radios {
            serve(radio, .prompt, isRefusing: false, mustSucceed: true)
        }
    }

    func connectAll() {
        for radio in 0..<SoakStep.centrals {
            let host = nodes[radio].host
            begin("connect to all", at: radio, mustSucceed: true) { _ in
                for peer in SoakStep.centrals..<SoakStep.radios {
                    let connection = try await host.radio.connect(to: Self.peer(peer))
                    await self.opened(connection, by: radio)
                }
            }
        }
    }

    func useAll() {
        proofs = 0
        for link in links {
            begin("use", at: link.node, mustSucceed: true) { _ in
                try await self.request(.read, 6, on: link)
                guard let found = await self.characteristic(1, of: link) else { return }
                var values = try await link.connection.notifications(of: found).makeAsyncIterator()
                await self.update(link.peer, 20)
                guard let octets = try await values.next(), SoakValue(octets)?.node == link.peer else {
                    return
                }
                await self.isProved()
            }
        }
    }

    private func characteristic(_ number: Int, of link: KnownLink) -> GATT.Characteristic? {
        links.first { $0.connection == link.connection }?.characteristics[number]
    }

    private func isProved() { proofs += 1 }

    func checkUse() {
        let wanted = SoakStep.centrals * (SoakStep.radios - SoakStep.centrals)
        if let operation = operations.first(where: { !$0.isLasting }) {
            fail("\(operation.name) does not end in the proof", unfinished)
        }
        if proofs != wanted { fail("not everything works any more", "\(proofs) of \(wanted) links") }
    }
}
