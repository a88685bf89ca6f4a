// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension DeviceRecognition {
    /// How nightlights are recognized.
    public static let nightlight = DeviceRecognition(
        services: [NightlightUUID.ledService], names: ["nightlight"], beginnings: ["Nightlight"],
        usedServices: [
            NightlightUUID.buttonService, NightlightUUID.scheduleService, NightlightUUID.batteryService,
            NightlightUUID.currentTimeService, NightlightUUID.nextDSTChangeService,
            NightlightUUID.deviceInformationService,
        ])
}
