// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
import Nightlight

/// Nightlight, as the list of products knows it.
public final class NightlightProduct: Product {
    /// Its device's name on the command line.
    public let name = "nightlight"
    /// How its devices are recognized.
    public let recognition: DeviceRecognition? = .nightlight
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.nightlight

    /// Describes the product.
    public init() {}
}

extension UUIDNames {
    /// A nightlight's.
    static let nightlight = UUIDNames(
        services: [
            (NightlightUUID.ledService, "Nightlight LED"),
            (NightlightUUID.buttonService, "Nightlight Child Button"),
            (NightlightUUID.scheduleService, "Nightlight Schedule"),
        ],
        characteristics: [
            (NightlightUUID.power, "Nightlight LED Power"),
            (NightlightUUID.link, "Nightlight LED Link"),
            (NightlightUUID.proof, "Nightlight LED Proof"),
        ]
            + NightlightUUID.ledColors.enumerated().map { index, uuid in
                (uuid, "Nightlight LED \(index + 1) Colour")
            } + [
                (NightlightUUID.onTime, "Nightlight Button On Time"),
                (NightlightUUID.dailyUsage, "Nightlight Button Daily Usage"),
                (NightlightUUID.deactivationTime, "Nightlight Button Deactivation Time"),
                (NightlightUUID.shakeMode, "Nightlight Button Shake Mode"),
                (NightlightUUID.buttonColor, "Nightlight Button Colour"),
                (NightlightUUID.buttonEnabled, "Nightlight Button Enabled"),
                (NightlightUUID.week, "Nightlight Week Schedule"),
                (NightlightUUID.day, "Nightlight Day Schedule"),
                (NightlightUUID.activeSource, "Nightlight Active Source"),
                (NightlightUUID.childName, "Nightlight Child Name"),
            ])
}
