// SPDX-License-Identifier: Apache-2.0

public import BLEHCI
public import BLEWire

/// How to scan.
public struct ScanParameters: Hashable, Sendable {
    /// Whether scan responses are asked for.
    public var isActive: Bool
    /// Time from one window to the next.
    public var interval: AdvertisingInterval
    /// How long each window is.
    public var window: AdvertisingInterval
    /// Whether the controller reports each device only once.
    public var filterDuplicates: Bool
    /// Which PHYs are scanned, LE 1M and LE Coded, of those that the controller has; two of them share the time.
    public var phys: HCI.PHYs
    /// Which devices the controller reports, at most as many as its filter accept list holds; none: all.
    public var addresses: [BluetoothAddress]

    /// Makes parameters.
    public init(
        isActive: Bool = true,
        interval: AdvertisingInterval = AdvertisingInterval(milliseconds: 60),
        window: AdvertisingInterval = AdvertisingInterval(milliseconds: 60),
        filterDuplicates: Bool = false,
        phys: HCI.PHYs = [.le1M, .leCoded],
        addresses: [BluetoothAddress] = []
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.filterDuplicates = filterDuplicates
        self.phys = phys
        self.addresses = addresses
    }
}

/// How and what to advertise.
///
/// What fits travels in legacy PDUs, which every scanner understands. What does not needs a controller with
/// extended advertising; there the scan response is sent as the end of the advertisement.
public struct AdvertisingParameters: Hashable, Sendable {
    /// The advertisement itself, at most 31 octets without extended advertising.
    public var data: [UInt8]
    /// The answer to a scan request, at most 31 octets without extended advertising.
    public var scanResponse: [UInt8]
    /// Whether links are accepted.
    public var isConnectable: Bool
    /// Time between advertisements.
    public var interval: AdvertisingInterval

    /// Makes parameters.
    public init(
        data: [UInt8],
        scanResponse: [UInt8] = [],
        isConnectable: Bool = true,
        interval: AdvertisingInterval = AdvertisingInterval(milliseconds: 100)
    ) {
        self.data = data
        self.scanResponse = scanResponse
        self.isConnectable = isConnectable
        self.interval = interval
    }

    /// Whether legacy PDUs can carry it.
    var fitsLegacy: Bool {
        data.count <= HCI.legacyAdvertisingDataLimit && scanResponse.count <= HCI.legacyAdvertisingDataLimit
    }

    /// Whether a controller could take it.
    ///
    /// - Parameter controller: What the controller can do.
    /// - Returns: Whether there is room for all of it.
    public func fits(_ controller: ControllerInformation) -> Bool {
        fitsLegacy
            || controller.usesExtendedCommands
                && data.count + scanResponse.count <= controller.maximumAdvertisingDataLength
    }
}

/// How to connect, and the link's timing.
public struct ConnectParameters: Hashable, Sendable {
    /// The shortest connection interval.
    public var intervalMin: ConnectionInterval
    /// The longest connection interval.
    public var intervalMax: ConnectionInterval
    /// Connection events that the peripheral may pass over.
    public var latency: UInt16
    /// How long the link may be silent.
    public var supervisionTimeout: SupervisionTimeout
    /// How long to try, in milliseconds.
    public var timeoutMilliseconds: UInt64
    /// Which PHYs are tried, of those that the controller has; LE 1M and LE Coded share the time.
    public var phys: HCI.PHYs
    /// Whether a larger MTU is asked for; some peers never answer that.
    public var exchangesMTU: Bool

    /// Makes parameters.
    public init(
        intervalMin: ConnectionInterval = ConnectionInterval(milliseconds: 15),
        intervalMax: ConnectionInterval = ConnectionInterval(milliseconds: 30),
        latency: UInt16 = 0,
        supervisionTimeout: SupervisionTimeout = SupervisionTimeout(milliseconds: 5000),
        timeoutMilliseconds: UInt64 = 10_000,
        phys: HCI.PHYs = [.le1M, .le2M, .leCoded],
        exchangesMTU: Bool = true
    ) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.timeoutMilliseconds = timeoutMilliseconds
        self.phys = phys
        self.exchangesMTU = exchangesMTU
    }
}
