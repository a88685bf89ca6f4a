// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What kind of camera or sensor a detection is about.
///
/// The thirteen kinds of the app and the three more that real firmware sends.
///
/// Spec: Documentation/Protocols/flockfinder.md, Types.
public enum DetectionType: UInt8, Hashable, Sendable, CaseIterable {
    /// Flock Safety.
    case flockSafety
    /// Verkada.
    case verkada
    /// Lorex.
    case lorex
    /// Reolink.
    case reolink
    /// Axis.
    case axis
    /// Hikvision.
    case hikvision
    /// Dahua.
    case dahua
    /// Ring.
    case ring
    /// Nest.
    case nest
    /// Arlo.
    case arlo
    /// Wyze.
    case wyze
    /// Eufy.
    case eufy
    /// Penguin.
    case penguin
    /// Pigvision.
    case pigvision
    /// Raven.
    case raven
    /// Anything else.
    case unknown

    /// The word for files and scripts: lower case, never changed.
    public var keyword: StaticString { traits.keyword }

    /// The label that devices send.
    public var label: StaticString {
        // Apart from the other traits: each label received is compared with these.
        switch self {
        case .flockSafety: "Flock Safety"
        case .verkada: "Verkada"
        case .lorex: "Lorex"
        case .reolink: "Reolink"
        case .axis: "Axis"
        case .hikvision: "Hikvision"
        case .dahua: "Dahua"
        case .ring: "Ring"
        case .nest: "Nest"
        case .arlo: "Arlo"
        case .wyze: "Wyze"
        case .eufy: "Eufy"
        case .penguin: "Penguin"
        case .pigvision: "Pigvision"
        case .raven: "Raven (Gunshot Detector)"
        case .unknown: "Unknown"
        }
    }

    /// The name of an SF Symbol.
    public var icon: StaticString { traits.icon }

    /// A colour, by a name that both CSS and SwiftUI know.
    public var color: StaticString { traits.color }

    /// One sentence that says what it is.
    public var explanation: StaticString { traits.explanation }

    /// Finds the kind for a label, in whatever case it is written.
    ///
    /// - Parameter label: The label as received; one that nobody knows gives ``unknown``.
    public init(label: WireText) {
        self = label.octets.withUnsafeBufferPointer { Self.matching($0) }
    }

    /// Finds the kind for a label of which A to Z count like a to z.
    static func matching(_ label: UnsafeBufferPointer<UInt8>) -> DetectionType {
        for type in allCases {
            if unsafe equals(label, type.label) { return type }
        }
        // The firmware writes Raven's label with an explanation behind it; others leave that out.
        return unsafe equals(label, "Raven") ? .raven : .unknown
    }

    private static func equals(_ text: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
        guard text.count == literal.utf8CodeUnitCount else { return false }
        let other = unsafe UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        for index in text.indices {
            guard unsafe lowercased(text[index]) == lowercased(other[index]) else { return false }
        }
        return true
    }

    private static func lowercased(_ octet: UInt8) -> UInt8 {
        (0x41...0x5A).contains(octet) ? octet &+ 0x20 : octet
    }
}

extension DetectionType {
    private struct Traits {
        let keyword: StaticString
        let icon: StaticString
        let color: StaticString
        let explanation: StaticString

        init(
            _ keyword: StaticString, _ icon: StaticString, _ color: StaticString,
            _ explanation: StaticString
        ) {
            self.keyword = keyword
            self.icon = icon
            self.color = color
            self.explanation = explanation
        }
    }

    private var traits: Traits {
        switch self {
        case .flockSafety:
            Traits(
                "flock_safety", "car.fill", "red",
                "Reads the number plates of passing cars and shares them with the police.")
        case .verkada:
            Traits(
                "verkada", "building.2.fill", "orange",
                "Cloud camera of a company or public building, often with face search.")
        case .lorex:
            Traits("lorex", "video.fill", "blue", "Security camera of a home or shop.")
        case .reolink:
            Traits("reolink", "video.fill", "blue", "Network camera of a home or shop.")
        case .axis:
            Traits("axis", "video.fill", "yellow", "Professional network camera.")
        case .hikvision:
            Traits(
                "hikvision", "video.fill", "purple",
                "Network camera of the largest Chinese surveillance maker.")
        case .dahua:
            Traits(
                "dahua", "video.fill", "purple",
                "Network camera of a large Chinese surveillance maker.")
        case .ring:
            Traits("ring", "bell.fill", "cyan", "Amazon's doorbell or home camera.")
        case .nest:
            Traits("nest", "house.fill", "teal", "Google's doorbell or home camera.")
        case .arlo:
            Traits("arlo", "camera.fill", "green", "Wireless home camera.")
        case .wyze:
            Traits("wyze", "camera.fill", "green", "Low-priced home camera.")
        case .eufy:
            Traits("eufy", "camera.fill", "green", "Home camera that records at home.")
        case .penguin:
            Traits(
                "penguin", "battery.100.bolt", "brown",
                "Battery pack that feeds cameras at the roadside.")
        case .pigvision:
            Traits("pigvision", "eye.fill", "pink", "Camera that watches traffic.")
        case .raven:
            Traits(
                "raven", "ear.fill", "indigo",
                "Microphones that listen for gunshots in the street.")
        case .unknown:
            Traits(
                "unknown", "questionmark.circle.fill", "gray",
                "A device that may watch; its make is not known.")
        }
    }
}
