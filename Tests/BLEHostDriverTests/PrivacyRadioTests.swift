// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLEVirtualRadio
import Testing

// Addresses that change, and bonds that change elsewhere.
extension PairingRadioTests {
    @Test func whatAnotherProgramForgetsIsForgotten() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        await link.disconnect()
        // As `lantern bonds remove` does beside a program that runs.
        let (client, server) = (
            try #require(await pair.client.host.ownAddress), try #require(await pair.server.host.ownAddress)
        )
        #expect(await pair.stores.client.remove(server, of: client))
        #expect(try await pair.client.radio.bonds().count == 1)
        link = try await pair.connect()
        #expect(await link.security == nil)
        #expect(try await pair.client.radio.bonds().isEmpty)
        #expect(
            await failure { () async throws(BluetoothError) in try await link.encrypt() }
                == .pairing(.notBonded))
        await pair.close()
    }

    @Test func whoHidesHasTheSameKeyAfterARestart() async throws {
        var pair = try await Pair()
        let own = try #require(await pair.client.host.ownAddress)
        #expect(await pair.client.host.addressOnAir == own)
        #expect(await pair.client.radio.capabilities.contains(.privacy))
        try await pair.client.radio.usePrivacy(true)
        #expect(await pair.client.host.addressOnAir != own)
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        // The keys of this side go out last.
        try await ManualTime.pass(milliseconds: 500)
        let known = try await pair.server.radio.bonds()
        #expect(known.map(\.peer) == [Peer(own)] && known.first?.hasChangingAddress == true)
        try await pair.restart()
        #expect(await pair.client.host.addressOnAir == own)
        try await pair.client.radio.usePrivacy(true)
        #expect(await pair.client.host.addressOnAir != own)
        // Its bonded server knows it again: the link is encrypted by itself.
        link = try await pair.connect()
        #expect(await link.security?.isBonded == true)
        try await pair.client.radio.usePrivacy(false)
        #expect(await pair.client.host.addressOnAir == own)
        await pair.close()
    }

    @Test func aRadioWithoutKeysCannotHide() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let radio = try await AirRadio.start(air)
        #expect(await radio.radio.capabilities.contains(.privacy) == false)
        #expect(
            await failure { () async throws(BluetoothError) in try await radio.radio.usePrivacy(true) }
                == .unsupported(.privacy))
        await radio.radio.close()
    }
}
