// SPDX-License-Identifier: Apache-2.0

// bench-host ROW PORT: our stack as the host that bench-controller measures. It plays one row until it is
// killed, as bumble_host.py does for Bumble.

import BLEHostDriver
import BLETransport

let arguments = CommandLine.arguments
guard arguments.count == 3, let row = Row(rawValue: arguments[1]) else {
    stop("usage: bench-host send|receive|read|connect|scan PORT")
}
let page = Page()
let host = HostRadio { loop async throws(TransportError) in
    try await TransportAddress("tcp:127.0.0.1:\(arguments[2])").open(on: loop)
}
try await host.start()
let radio = host.radio
// Where octets arrive: what is taken there costs no change of threads.
try await Task(executorPreference: radio.executor) {
    switch row {
    case .send, .read: try await radio.playServer()
    case .receive: try await radio.playReceiver(page)
    case .connect: try await radio.playConnecter(page)
    case .scan: try await radio.playScanner(page)
    }
}.value

enum Row: String {
    case send, receive, read, connect, scan
}
