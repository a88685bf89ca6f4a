// SPDX-License-Identifier: Apache-2.0

import BLEWire

// What the session may want to know of the request that it has to answer.
extension GATT.Server {
    /// From which octet on the client wants the value that the session is asked for; the session answers with the whole all the same.
    package var wantedOffset: Int { if case .waiting(.readBlob(_, let offset)) = state { offset } else { 0 } }

    /// What the client writes together with the value that the session was given, after it.
    package var followingWrites: [GATT.ValueWrite] {
        if case .waiting(.executeWrite(_, let rest)) = state { Array(rest) } else { [] }
    }
}
