// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension DeviceRecognition {
    /// How bulbs are recognized.
    ///
    /// FFF0 and 1802 are not among the services that say so, because many devices advertise them.
    public static let ledBulb = DeviceRecognition(
        services: [BulbDialect.triones.control.service, BulbDialect.magicBlue.control.service],
        names: ["triones", "ledble", "elk-ble", "melk", "colorific", "lednetwf", "bj_led", "xrocker"],
        beginnings: BulbDialect.all.map { $0.deviceName },
        usedServices: BulbDialect.all.flatMap {
            [$0.control.service] + ($0.reports.map { [$0.service] } ?? [])
        })
}
