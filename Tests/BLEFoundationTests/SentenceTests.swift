// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEFoundation
import BLEHCI
import BLEHost
import BLEL2CAP
import BLETransport
import BluetoothLE
import FlockFinder
import Foundation
import Improv
import Nightlight
import Testing
import WiFiSet

/// What a program shows that knows of errors as `any Error` alone.
@Suite("What localizedDescription says")
struct SentenceTests {
    @Test(
        arguments: [
            (BluetoothError.timeout, "The device did not answer in time."),
            (
                BluetoothError.alreadyConnected,
                "This device is connected already, or being connected: use that connection, or end it first."
            ),
            (BluetoothError.refused(.readNotPermitted), "The device refused: reading is not permitted."),
            (ChannelError.notOffered, "The device offers no channel at this PSM: is the number right?"),
            (BondStoreError("The disk is full."), "The disk is full."),
            (
                OutOfBandData.Invalid.example,
                "These are not structures of advertising data, as an NFC tag has them."
            ),
            (
                TransportError.cannotOpen("nobody listens there"),
                "The radio cannot be opened: nobody listens there."
            ),
            (
                AdapterError.noAdapter,
                "This machine has no Bluetooth adapter: plug one in, or load its driver."
            ),
            (AdapterError.unplugged(0), "hci0 was unplugged."),
            (AssignedNumbersError.cutOff, "The end of the text of assigned numbers is missing."),
            (SMP.Failure.notBonded, "No keys of this device are kept: pair with it first."),
            (LinkError.closedByPeer, "The device closed the connection."),
        ] as [(any Error, String)])
    func ofRadiosAndLinks(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test(
        arguments: [
            (DecodeError(.trailing(count: 2), at: 3), "2 octets too many after octet 3."),
            (ATT.ErrorCode.readNotPermitted, "Reading is not permitted."),
            (
                ATT.ErrorResponse(
                    request: .readRequest, handle: AttributeHandle(rawValue: 3), code: .readNotPermitted),
                "Reading is not permitted."
            ),
            (GATTRequestError.timeout, "No answer within 30 seconds."),
            (HCI.Status.connectionTimeout, "Connection timeout (0x08)."),
            (SMP.FailureReason.keyRejected, "A key was rejected."),
            (
                AdvertisingDataBuilder.Overflow.example,
                "33 octets of advertising data do not fit: at most 31 do."
            ),
            (
                AdvertisingDataError(offset: 4, type: nil, error: DecodeError(.truncated(needed: 2), at: 5)),
                "Advertising data at octet 4 makes no sense: 2 more octets were due after octet 5."
            ),
            (
                HCI.FramingError.lostSync(indicator: 0x1F),
                "What the controller sends is not HCI: a packet begins with 0x1f."
            ),
            (
                HCI.FramingError.tooLong(70_000),
                "The controller announces a packet of 70000 octets, more than any may have."
            ),
            (
                HCI.ReplyError.refused(.commandDisallowed),
                "The controller refused: command disallowed (0x0C)."
            ),
            (HostError.controllerSilent, "The radio is off: it does not answer."),
            (LinkProcedure.Failure.refusedByPeer, "The device refused."),
            (L2CAP.ChannelViolation.noCredit, "The device sent more than it was allowed to."),
            (
                L2CAP.ChannelError.violation(.sduTooLong),
                "The channel was closed: the device sent a message that is too long."
            ),
        ] as [(any Error, String)])
    func ofTheHost(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test(
        arguments: [
            (WiFiMessageError.badSSIDLength(40), "An SSID of 40 octets."),
            (WiFiCredentials.Failure.emptySSID, "Say which network: its name is empty."),
            (ImprovPacketError.tooShort(1), "A packet has at least 3 octets, this has 1."),
            (ImprovSettings.Failure.ssidLength(0), "A network's name has 1 to 32 octets; this one has 0."),
            (ImprovError.refused(.notAuthorized), "Press the device's button first."),
            (ImprovError.refused(.invalidPacket), "The device refused: invalid_packet."),
            (LightPeriod.Failure.timeoutOfZero, "It ends after 0 minutes: a time-out has 1 to 255."),
            (ScheduleError.nameIsNotText, "The name is not text."),
            (NightlightErrorCode.overlap, "The lamp refused: periods overlap."),
            (SignatureTable.Failure.badWeight(1), "The weight of signature 2 is not from -1 to 1, or is 0."),
            (SignatureTable.Failure.badCount, "A table has 1 to 1000 signatures."),
        ] as [(any Error, String)])
    func ofTheKits(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test func ofDetections() throws {
        let line = Array(#"{"type":7}"#.utf8)
        let error = #expect(throws: DetectionError.self) { _ = try Detection(decoding: line) }
        let text = try #require(error).localizedDescription
        #expect(text.hasPrefix("The object ") && text.hasSuffix(")."))
    }
}

extension OutOfBandData.Invalid {
    /// One that is thrown.
    fileprivate static var example: OutOfBandData.Invalid {
        do throws(OutOfBandData.Invalid) {
            _ = try OutOfBandData(decoding: [9, 1])
            preconditionFailure("these are no structures")
        } catch {
            return error
        }
    }
}

extension AdvertisingDataBuilder.Overflow {
    /// One that is thrown.
    fileprivate static var example: AdvertisingDataBuilder.Overflow {
        var builder = AdvertisingDataBuilder()
        do throws(AdvertisingDataBuilder.Overflow) {
            try builder.append(.completeLocalName, [UInt8](repeating: 0x41, count: 31))
            preconditionFailure("it does not fit")
        } catch {
            return error
        }
    }
}
