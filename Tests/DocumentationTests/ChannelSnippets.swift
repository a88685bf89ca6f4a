// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

enum ChannelSnippets {
    static func send(_ connection: Connection, psm: UInt16) async throws {
        // snippet: channel-open
        let channel = try await connection.openChannel(psm: psm)
        print("an SDU may have \(channel.description.mtu) octets")
        try await channel.send(Array("hello".utf8))
        for try await sdu in channel.received() { print("\(sdu.count) octets") }
        print(try await channel.waitUntilClosed())
        // end
    }

    static func echo(_ radio: Radio) async throws {
        // snippet: channel-listen
        let listener = try await radio.listen()
        let psm = [UInt8(truncatingIfNeeded: listener.psm), UInt8(listener.psm >> 8)]
        let door = GATT.CharacteristicDefinition("FFF2", .read, value: .stored(psm))
        let server = try await radio.serve(
            ServerDescription(
                name: "Files", services: [GATT.ServiceDefinition("FFF0", characteristics: [door])]))
        for try await channel in listener.channels() {
            print("\(channel.description.peer) has opened a channel at \(listener.psm)")
            for try await sdu in channel.received() { try await channel.send(sdu) }
        }
        await server.stop()
        // end
    }
}
