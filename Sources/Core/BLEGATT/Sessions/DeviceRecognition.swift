// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How the devices of a product are told from others before there is a link.
public struct DeviceRecognition: Sendable {
    /// Services of which each of them advertises one.
    public var services: [BluetoothUUID]
    /// Parts of names, in lower case, that only they have.
    public var names: [WireText]
    /// Parts of names, in lower case, that they may have, and others, too: who looks for one tries such a device last.
    public var possibleNames: [WireText]
    /// Parts of names, in lower case, of other products that advertise the same services.
    public var foreignNames: [WireText]
    /// How their names begin, for the chooser of a browser, which tells upper from lower case.
    public var beginnings: [WireText]
    /// Further services that are used on a link, which a browser wants to know before.
    public var usedServices: [BluetoothUUID]

    /// Makes what says by what they are recognized.
    public init(
        services: [BluetoothUUID], names: [WireText] = [], possibleNames: [WireText] = [],
        foreignNames: [WireText] = [], beginnings: [WireText] = [], usedServices: [BluetoothUUID] = []
    ) {
        self.services = services
        self.names = names
        self.possibleNames = possibleNames
        self.foreignNames = foreignNames
        self.beginnings = beginnings
        self.usedServices = usedServices
    }

    /// Whether a device is one of them by what it advertises.
    ///
    /// Where other products advertise the same services, a name alone is not enough: whoever asks several products takes it,
    /// by ``isNamed(_:)``, once none of them fits.
    ///
    /// - Parameters:
    ///   - services: The services that it advertises.
    ///   - name: Its name, in lower case.
    /// - Returns: Whether it is.
    public func fits(_ services: [BluetoothUUID], _ name: WireText) -> Bool {
        let offers = services.contains { self.services.contains($0) }
        guard !foreignNames.isEmpty else { return offers || isNamed(name) }
        return offers && !foreignNames.contains { name.contains($0) }
    }

    /// Whether a name is one that only they have.
    ///
    /// - Parameter name: The name, in lower case.
    /// - Returns: Whether it is.
    public func isNamed(_ name: WireText) -> Bool { names.contains { name.contains($0) } }
}

extension DeviceLink.Configuration {
    /// Makes a configuration that looks for the devices of a product.
    ///
    /// - Parameters:
    ///   - target: Which device to look for.
    ///   - recognition: How they are recognized.
    ///   - required: What the device must have.
    ///   - reconnects: Whether a link that fails or is lost is tried again.
    ///   - seed: What the random part of waiting times comes from.
    public init(
        target: DeviceLink.Target, _ recognition: DeviceRecognition,
        required: [DeviceLink.Requirement] = [], reconnects: Bool, seed: UInt64
    ) {
        self.init(
            target: target, services: recognition.services,
            namePatterns: recognition.names + recognition.possibleNames,
            foreignNames: recognition.foreignNames, required: required, reconnects: reconnects, seed: seed)
    }
}
