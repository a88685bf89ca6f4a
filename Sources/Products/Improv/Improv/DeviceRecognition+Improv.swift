// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension DeviceRecognition {
    /// How Improv devices are recognized; their names say nothing.
    public static let improv = DeviceRecognition(services: [ImprovUUID.service])
}
