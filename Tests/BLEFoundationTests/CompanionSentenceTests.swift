// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionDevices
import CompanionFoundation
import Detections
import FlockFinderCompanion
import Foundation
import LEDBulb
import LEDBulbDevices
import Nightlight
import NightlightCompanion
import NightlightDevices
import Testing

/// What an app shows that knows of errors as `any Error` alone.
@Suite("What localizedDescription says in an app")
struct CompanionSentenceTests {
    private static let bulb = BulbDialect.all[0]

    @Test(
        arguments: [
            (HubError.badValue("The name is empty."), "The name is empty."),
            (StoreError.conflict, StoreError.conflict.description),
            (BadInput("the name is too long"), "The name is too long."),
            (JSONDecodingError(3, column: 7, "a name is missing"), "Line 3, column 7: a name is missing."),
            (ImportError(0, "it is empty"), "It is empty."),
            (ImportError(2, column: 4, "there is no time"), "Line 2, column 4: there is no time."),
            (FixError.noTime, "The fix has no time that can be."),
            (GPSDSession.Failure.notGPSD, "What listens there is not gpsd."),
            (WiFiSecretError.passwordMissing, "This network needs a password."),
            (WiFiError.unsupported, "This device cannot do that."),
            (
                WiFiError.couldNotJoin,
                "The device could not join the network: check the password and the network's name."
            ),
            (ExplorerError.servicesChanged, "The device's services have changed: watch again."),
            (
                AttributeTargetError.missing(.name("note")),
                "The device has no characteristic or descriptor called note; `the tree` shows all."
            ),
        ] as [(any Error, String)])
    func ofValues(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test(
        arguments: [
            (
                ConnectionError.wrongDevice(missing: [BluetoothUUID(0x180F)], having: []),
                "This is another kind of device: it lacks 180f."
            ),
            (ConnectionError.failed(.closed), "Closed."),
            (ConnectionError.timeLimit(.seconds(90)), "It was not done within 1 minute, 30 seconds."),
            (BulbError.misfit(.notABulb), "This is not a bulb that can be spoken to; nothing was written."),
            (BulbError.refused(.notInDialect(bulb)), "\(bulb.name.string) bulbs cannot do this."),
            (
                BulbError.noState(.noAnswer), "The bulb did not say how it is: go nearer and try again."
            ),
        ] as [(any Error, String)])
    func ofDevices(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test func ofLamps() {
        let error: any Error = LampError.notKept(.week)
        #expect(error.localizedDescription == NightlightText.sentence(.notKept(.week)))
    }
}
