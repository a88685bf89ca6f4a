// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// What devices are called on screens.
enum DeviceWords {
    /// What a device is called: by its owner, else by itself, else by its address.
    static func name(_ device: HubDevice) -> String {
        device.ownName ?? device.name.map { PrintableText.quoted($0) } ?? device.peer.plain
    }

    /// The same, with the end of its address where another one has the same name.
    static func name(_ device: HubDevice, among others: [HubDevice]) -> String {
        let name = name(device)
        let isShared = others.contains { $0.id != device.id && self.name($0) == name }
        return isShared ? "\(name) …\(device.peer.plain.suffix(5))" : name
    }

    /// What devices of a kind are called.
    static func title(_ kind: HubDevice.Kind) -> LocalizedStringKey {
        switch kind {
        case .flockFinder: "FlockFinders"
        case .wifiSet: "Wi-Fi set-up"
        case .nightlight: "Nightlights"
        case .bulb: "Bulbs"
        case .other: "Other devices"
        }
    }

    static func symbol(_ kind: HubDevice.Kind) -> String {
        switch kind {
        case .flockFinder: "dot.radiowaves.left.and.right"
        case .wifiSet: "wifi"
        case .nightlight: "moon"
        case .bulb: "lightbulb"
        case .other: "dot.scope"
        }
    }

    /// A number of octets as people read them: `01 FF A0`.
    static func octets(_ octets: some Sequence<UInt8>) -> String {
        octets.map { String(format: "%02X", $0) }.joined(separator: " ")
    }
}

extension AppModel {
    /// What a device is called, a lamp by its child's name.
    func name(of device: HubDevice, among others: [HubDevice]) -> String {
        guard let child = lampNames[device.peer] else { return DeviceWords.name(device, among: others) }
        return LampWords.whose(child)
    }
}
