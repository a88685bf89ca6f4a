// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLETransport
import BLEVirtualRadio

enum PortSnippets {
    static func serve(on port: Int) async throws {
        // snippet: port
        let air = try VirtualRadio()
        await air.add(Thermometer(), at: "C0:00:00:00:00:01")
        let controller = await air.addController(.init(address: "C0:00:00:00:00:02"))
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: port, on: air.loop)
        await ControllerServer(controller, of: air, on: listener).run { event in print(event) }
        await listener.close()
        // end
    }
}
