// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension DeviceLink {
    /// Which device to look for and how to hold on to it.
    public struct Configuration: Sendable {
        /// Which device to look for.
        public var target: Target
        /// Services whose advertisement makes a device a candidate at once.
        public var services: [BluetoothUUID]
        /// Parts of names, in lower case, that make a device a candidate after ``DeviceLink/nameDelaySeconds``.
        public var namePatterns: [WireText]
        /// Parts of names, in lower case, of other products that advertise the same services: such a device is a candidate
        /// after ``DeviceLink/nameDelaySeconds``, and the last one.
        public var foreignNames: [WireText]
        /// What the device must have, in the order in which ``DeviceLink/Output/fits(_:)`` gives it.
        public var required: [Requirement]
        /// Whether a link that fails or is lost is tried again; otherwise the search ends with it.
        public var reconnects: Bool
        /// What the random part of waiting times comes from.
        public var seed: UInt64

        /// Makes a configuration.
        public init(
            target: Target = .any,
            services: [BluetoothUUID] = [],
            namePatterns: [WireText] = [],
            foreignNames: [WireText] = [],
            required: [Requirement] = [],
            reconnects: Bool = true,
            seed: UInt64 = 0
        ) {
            self.target = target
            self.services = services
            self.namePatterns = namePatterns
            self.foreignNames = foreignNames
            self.required = required
            self.reconnects = reconnects
            self.seed = seed
        }

        /// Whether a name has one of the patterns in it.
        func fits(_ name: WireText?) -> Bool { Self.has(name, anyOf: namePatterns) }

        /// Whether a name is one of another product.
        func isOfAnother(_ name: WireText?) -> Bool { Self.has(name, anyOf: foreignNames) }

        private static func has(_ name: WireText?, anyOf parts: [WireText]) -> Bool {
            guard let name = name?.asciiLowercased else { return false }
            return parts.contains { name.contains($0) }
        }
    }

    /// Which device to look for.
    public enum Target: Hashable, Sendable {
        /// The first that fits.
        case any
        /// This one.
        case peer(Peer)
        /// The one whose address has these 48 bits, of whichever kind it is.
        case address(UInt64)

        func matches(_ heard: Peer) -> Bool {
            switch self {
            case .any: true
            case .peer(let peer): heard == peer
            case .address(let value): heard.address?.value == value
            }
        }
    }

    /// A characteristic that a device must have.
    public struct Requirement: Hashable, Sendable {
        /// What the value is.
        public var uuid: BluetoothUUID
        /// What must be possible with the value: one of these is enough.
        public var properties: GATT.Properties

        /// Makes a requirement.
        public init(_ uuid: BluetoothUUID, anyOf properties: GATT.Properties) {
            self.uuid = uuid
            self.properties = properties
        }

        func match(in services: [GATT.Service]) -> GATT.Characteristic? {
            for service in services {
                for characteristic in service.characteristics
                where characteristic.uuid == uuid && !characteristic.properties.isDisjoint(with: properties) {
                    return characteristic
                }
            }
            return nil
        }
    }

    /// How far a link is.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        /// The radio is switched off or gone.
        case bluetoothOff
        /// This program may not use the radio.
        case unauthorized
        /// No link; the next try comes later or never.
        case disconnected
        /// Looking for the device.
        case scanning
        /// Opening a link.
        case connecting
        /// Finding out what the device has.
        case discovering
        /// The device fits and is ready.
        case connected

        /// The word for files and scripts.
        public var keyword: StaticString {
            switch self {
            case .bluetoothOff: "bluetooth_off"
            case .unauthorized: "unauthorized"
            case .disconnected: "disconnected"
            case .scanning: "scanning"
            case .connecting: "connecting"
            case .discovering: "discovering"
            case .connected: "connected"
            }
        }
    }

    /// Why a link ended.
    public enum Reason: Hashable, Sendable {
        /// It could not be opened.
        case connectFailed(LinkError)
        /// It was open and is gone.
        case lost(LinkError)
        /// The device did not say what it has.
        case discoveryFailed(GATTRequestError)
        /// The device fits but could not be made ready.
        case setUpFailed(GATTRequestError)
        /// The device lacks something.
        case wrongDevice(missing: [BluetoothUUID])
        /// The user wanted it so.
        case closed
    }

    /// A change of state.
    public struct Report: Hashable, Sendable {
        /// The new state.
        public var state: State
        /// The device that it is about, if there is one.
        public var peer: Peer?
        /// Why the link ended, when the state is ``State/disconnected``.
        public var reason: Reason?
        /// When it is tried again, in milliseconds from now; `nil` when at once or never.
        public var retryMilliseconds: UInt64?

        /// Makes a report.
        public init(
            _ state: State,
            peer: Peer? = nil,
            reason: Reason? = nil,
            retryMilliseconds: UInt64? = nil
        ) {
            self.state = state
            self.peer = peer
            self.reason = reason
            self.retryMilliseconds = retryMilliseconds
        }
    }

    /// What the link wants done or reported.
    public enum Output: Hashable, Sendable {
        /// Something for the radio.
        case action(ClientAction)
        /// Something for the user.
        case report(Report)
        /// A device fits: set it up, then call ``DeviceLink/ready(at:)`` or ``DeviceLink/fail(_:at:)``. The
        /// characteristics stand in the order of the requirements.
        case fits([GATT.Characteristic])
        /// The device that fitted is gone, or its services have changed; comes once for each ``fits(_:)``.
        case lost
        /// The link wants nothing any more; why, when that was not the user.
        case finished(Reason?)
    }
}
