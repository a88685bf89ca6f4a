// SPDX-License-Identifier: Apache-2.0

import BLETransport

/// A radio's way to its controller on the air, which writes down what passes and lets some of it go wrong.
final class SoakTransport: Transport {
    private let base: any Transport
    private let world: SoakWorld
    let radio: Int

    init(_ base: any Transport, _ radio: Int, _ world: SoakWorld) {
        (self.base, self.radio, self.world) = (base, radio, world)
    }

    var loop: TransportLoop { base.loop }
    var isPacketBased: Bool { base.isPacketBased }

    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        let (world, radio, id) = (world, radio, ObjectIdentifier(self))
        base.start { input in
            guard case .octets(let octets) = input else {
                receiver(input)
                return
            }
            let passes = world.assumeIsolated { $0.arrived(octets, at: radio, through: id) }
            if passes { receiver(input) }
        }
        world.assumeIsolated { $0.opened(self, receiver) }
    }

    func send(_ octets: [UInt8]) {
        let passes = world.assumeIsolated { $0.sent(octets, by: radio, through: ObjectIdentifier(self)) }
        if passes { base.send(octets) }
    }

    func close() { base.close() }
}
