// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.
@Suite struct EncryptionTests {
    private let key = [UInt8](0..<16)
    private let other = [UInt8](16..<32)

    private func enable(_ handle: ConnectionHandle, _ key: [UInt8]) throws -> HCI.LEEnableEncryption {
        try #require(HCI.LEEnableEncryption(handle: handle, random: 0x77, diversifier: 0x2474, key: key))
    }

    private func keyRequest(_ bench: Bench, _ id: ID) -> HCI.LELongTermKeyRequest? {
        bench.receive(id) { event -> HCI.LELongTermKeyRequest? in
            guard case .longTermKeyRequest(let event) = event else { return nil }
            return event
        }?.value
    }

    private func change(_ bench: Bench, _ id: ID) -> HCI.EncryptionChange? {
        bench.receive(id) { event -> HCI.EncryptionChange? in
            guard case .encryptionChange(let event) = event else { return nil }
            return event
        }?.value
    }

    private func refresh(_ bench: Bench, _ id: ID) -> HCI.EncryptionKeyRefreshComplete? {
        bench.receive(id) { event -> HCI.EncryptionKeyRefreshComplete? in
            guard case .encryptionKeyRefreshComplete(let event) = event else { return nil }
            return event
        }?.value
    }

    /// The central wants a key, the peripheral has one.
    private func encrypt(_ bench: Bench, _ link: Bench.Connected, _ wanted: [UInt8], _ known: [UInt8]) throws
    {
        bench.accept(try enable(link.centralHandle, wanted), link.central)
        bench.run(milliseconds: 200)
        let request = try #require(keyRequest(bench, link.peripheral))
        #expect(request == .init(handle: link.peripheralHandle, random: 0x77, diversifier: 0x2474))
        let reply = try #require(HCI.LELongTermKeyRequestReply(handle: link.peripheralHandle, key: known))
        #expect(try bench.ask(reply, link.peripheral) == .init(handle: link.peripheralHandle))
        bench.run(milliseconds: 200)
    }

    @Test func bothSidesLearnThatTheirLinkIsEncrypted() throws {
        let bench = Bench()
        let link = try bench.pair()
        try encrypt(bench, link, key, key)
        #expect(
            change(bench, link.central)
                == .init(status: .success, handle: link.centralHandle, encryption: 1))
        #expect(
            change(bench, link.peripheral)
                == .init(status: .success, handle: link.peripheralHandle, encryption: 1))
        bench.sendData(link.central, link.centralHandle, [1])
        bench.sendData(link.peripheral, link.peripheralHandle, [2])
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[1]])
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[2]])
    }

    @Test func dataWaitsUntilTheLinkIsEncrypted() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(try enable(link.centralHandle, key), link.central)
        bench.sendData(link.central, link.centralHandle, [1])
        bench.run(milliseconds: 500)
        bench.sendData(link.peripheral, link.peripheralHandle, [2])
        bench.accept(HCI.LEReadRemoteFeatures(handle: link.centralHandle), link.central)
        bench.run(milliseconds: 500)
        #expect(bench.receiveData(link.peripheral).isEmpty)
        #expect(bench.receiveData(link.central).isEmpty)
        let reply = try #require(HCI.LELongTermKeyRequestReply(handle: link.peripheralHandle, key: key))
        bench.accept(reply, link.peripheral)
        bench.run(milliseconds: 300)
        #expect(change(bench, link.central)?.status == .success)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[1]])
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[2]])
    }

    @Test func anEncryptedLinkGetsAnotherKey() throws {
        let bench = Bench()
        let link = try bench.pair()
        try encrypt(bench, link, key, key)
        _ = change(bench, link.central)
        _ = change(bench, link.peripheral)
        for round in [other, key, key] {
            bench.sendData(link.central, link.centralHandle, [3])
            bench.sendData(link.peripheral, link.peripheralHandle, [4])
            try encrypt(bench, link, round, round)
            #expect(refresh(bench, link.central) == .init(status: .success, handle: link.centralHandle))
            #expect(refresh(bench, link.peripheral) == .init(status: .success, handle: link.peripheralHandle))
            #expect(change(bench, link.central) == nil)
            #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[3]])
            #expect(bench.receiveData(link.central).map(\.data.payload) == [[4]])
        }
    }

    @Test func keysThatDifferEndTheLink() throws {
        let bench = Bench()
        let link = try bench.pair()
        try encrypt(bench, link, key, other)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTerminatedMICFailure)
        bench.run(milliseconds: 2000)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .connectionTimeout)
        #expect(change(bench, link.central) == nil)
        #expect(change(bench, link.peripheral) == nil)
    }

    @Test func aHostWithoutTheKeyRefusesAndTheLinkGoesOn() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(try enable(link.centralHandle, key), link.central)
        bench.run(milliseconds: 200)
        _ = try #require(keyRequest(bench, link.peripheral))
        let refusal = HCI.LELongTermKeyRequestNegativeReply(handle: link.peripheralHandle)
        #expect(try bench.ask(refusal, link.peripheral) == .init(handle: link.peripheralHandle))
        bench.run(milliseconds: 200)
        #expect(
            change(bench, link.central)
                == .init(status: .pinOrKeyMissing, handle: link.centralHandle, encryption: 0))
        bench.sendData(link.central, link.centralHandle, [1])
        bench.run(milliseconds: 60_000)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[1]])
        #expect(bench.receiveDisconnection(link.central) == nil)
        // And it may be tried again.
        try encrypt(bench, link, key, key)
        #expect(change(bench, link.central)?.status == .success)
    }

    @Test func anEncryptedLinkEndsWhenTheNewKeyIsMissing() throws {
        let bench = Bench()
        let link = try bench.pair()
        try encrypt(bench, link, key, key)
        bench.accept(try enable(link.centralHandle, other), link.central)
        bench.run(milliseconds: 200)
        bench.accept(HCI.LELongTermKeyRequestNegativeReply(handle: link.peripheralHandle), link.peripheral)
        bench.run(milliseconds: 200)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .pinOrKeyMissing)
        #expect(
            bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTerminatedByLocalHost)
    }

    @Test func aHostThatDoesNotAnswerCostsTheLink() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(try enable(link.centralHandle, key), link.central)
        bench.run(milliseconds: 39_900)
        #expect(bench.receiveDisconnection(link.central) == nil)
        bench.run(milliseconds: 200)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .lmpOrLLResponseTimeout)
        bench.run(milliseconds: 2000)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
    }

    @Test func aHostThatDoesNotWantToBeAskedHasNoKey() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(HCI.LESetEventMask(mask: .init(rawValue: 0x0F)), link.peripheral)
        bench.accept(try enable(link.centralHandle, key), link.central)
        bench.run(milliseconds: 300)
        #expect(keyRequest(bench, link.peripheral) == nil)
        #expect(change(bench, link.central)?.status == .pinOrKeyMissing)
    }

    @Test func onlyTheCentralBeginsAndOnlyWhoIsAskedAnswers() throws {
        let bench = Bench()
        let link = try bench.pair()
        let reply = try #require(HCI.LELongTermKeyRequestReply(handle: link.peripheralHandle, key: key))
        let refusal = HCI.LELongTermKeyRequestNegativeReply(handle: link.peripheralHandle)
        #expect(
            bench.status(try enable(link.peripheralHandle, key), link.peripheral) == .commandDisallowed)
        #expect(bench.status(reply, link.peripheral) == .commandDisallowed)
        #expect(bench.status(refusal, link.peripheral) == .commandDisallowed)
        bench.accept(try enable(link.centralHandle, key), link.central)
        #expect(bench.status(try enable(link.centralHandle, key), link.central) == .commandDisallowed)
        let nobody = ConnectionHandle(rawValue: 0x0EFF)
        #expect(bench.status(try enable(nobody, key), link.central) == .unknownConnectionIdentifier)
        bench.run(milliseconds: 200)
        bench.accept(refusal, link.peripheral)
        #expect(bench.status(reply, link.peripheral) == .commandDisallowed)
    }

    @Test func aLinkMayEndWhileTheKeyIsAskedFor() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(try enable(link.centralHandle, key), link.central)
        bench.run(milliseconds: 200)
        bench.accept(
            HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection), link.central)
        bench.run(milliseconds: 200)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .connectionTerminatedByLocalHost)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .remoteUserTerminatedConnection)
        bench.run(milliseconds: 60_000)
    }

    @Test func controllersSayThatTheyEncrypt() throws {
        for generation in [VirtualAir.Generation.legacy, .extended] {
            let bench = Bench(.init(), generation)
            let id = bench.add(1)
            #expect(try bench.ask(HCI.LEReadLocalSupportedFeatures(), id).features.contains(.encryption))
            let commands = try bench.ask(HCI.ReadLocalSupportedCommands(), id).commands
            for opcode in [
                HCI.Opcode.leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
            ] {
                #expect(commands.contains(opcode))
            }
        }
    }
}
