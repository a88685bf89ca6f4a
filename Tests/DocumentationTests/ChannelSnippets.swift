// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

enum ChannelSnippets {
    static func send(_ connection: any Connection, psm: UInt16) async throws {
        // snippet: channel-open
        let channel = try await connection.openChannel(psm: psm)
        try await channel.send(Array("hello".utf8))
        for await sdu in await channel.received() { print("\(sdu.count) octets") }
        print(await channel.closed().sentence)
        // end
    }

    static func echo(_ radio: any Radio) async throws {
        // snippet: channel-listen
        let listener = try await radio.listen(psm: nil)
        for await channel in await listener.channels() {
            print("\(channel.description.address) has opened a channel at \(listener.psm)")
            for await sdu in await channel.received() { try await channel.send(sdu) }
        }
        // end
    }
}
