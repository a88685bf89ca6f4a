// SPDX-License-Identifier: Apache-2.0

// On hosts only: Embedded Swift ends a program with no sentence of its own.
#if !hasFeature(Embedded)

extension BluetoothUUID: ExpressibleByStringLiteral {
    /// Reads a UUID that stands in the code, as in `let service: BluetoothUUID = "180D"`.
    ///
    /// One that is misspelt ends the program with a sentence when it is used first. Text that comes from elsewhere is
    /// read by ``init(_:)``, which gives `nil`.
    ///
    /// - Parameter literal: 4, 8 or 32 hex digits, the long form with or without hyphens.
    public init(stringLiteral literal: String) {
        guard let uuid = BluetoothUUID(literal) else {
            fatalError("“\(literal)” is no UUID: it takes 4, 8 or 32 hex digits, as in \"180D\".")
        }
        self = uuid
    }
}

extension BluetoothAddress: ExpressibleByStringLiteral {
    /// Reads an address that stands in the code, as in `let lamp: BluetoothAddress = "C0:FF:EE:00:00:01"`.
    ///
    /// One that is misspelt ends the program with a sentence when it is used first. What kind it is without `/P` or `/R`
    /// at its end, ``likelyKind(of:)`` says.
    ///
    /// - Parameter literal: Six pairs of hex digits with colons, with or without the kind.
    public init(stringLiteral literal: String) {
        guard let address = Peer(literal)?.address else {
            fatalError("“\(literal)” is no address: it is written as in \"C0:FF:EE:00:00:01\".")
        }
        self = address
    }
}

#endif
