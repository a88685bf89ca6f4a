// SPDX-License-Identifier: Apache-2.0

// bench-host ROW PORT: our stack as the host that bench-controller measures. It plays one row until it is
// killed, as bumble_host.py does for Bumble.

import BLECrypto
import BLEHost
import BLEHostDriver
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3, let row = Row(rawValue: arguments[1]) else {
    stop("usage: bench-host send|receive|read|connect|reconnect|scan PORT")
}
let page = Page()
// Not the main thread: while that waits here, no library has to turn it into something else, and a profiler can follow.
Task.detached {
    do {
        let address = try TransportAddress("tcp:127.0.0.1:\(arguments[2])")
        var configuration = HostConfiguration()
        var store: (any BondStore)?
        if row == .reconnect {
            configuration.cryptography = HostCryptography()
            store = await bonds()
        }
        let host = HostRadio(configuration, bonds: store, loop: try TransportLoop()) {
            (loop) async throws(TransportError) in
            try await address.open(on: loop)
        }
        try await host.start()
        let radio = host.radio
        // Where octets arrive, as a program does that counts its wake-ups.
        try await Task(executorPreference: radio.executor) {
            switch row {
            case .send, .read: try await radio.playServer()
            case .receive: try await radio.playReceiver(page)
            case .connect: try await radio.playConnecter(page)
            case .reconnect: try await radio.playReconnecter(page)
            case .scan: try await radio.playScanner(page)
            }
        }.value
    } catch {
        stop("\(error)")
    }
}
while true { pause() }

enum Row: String {
    case send, receive, read, connect, reconnect, scan
}
