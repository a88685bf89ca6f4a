// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

/// What is wanted of advertising, and what the controller was told.
struct Advertiser {
    /// The set that is used where there are sets.
    static let set = HCI.AdvertisingHandle(rawValue: 0)

    var parameters: AdvertisingParameters?
    /// Whether the controller was told to advertise.
    var isOn = false
    /// Whether the application knows that what it wanted last is done.
    var isTold = false
    /// Whether the controller has the set.
    var hasSet = false
    /// Commands about parameters and data that the controller has not answered yet.
    var unanswered = 0
    /// Commands to switch it on or off that the controller has not answered yet.
    var unansweredSwitches = 0

    /// Wants nothing any more.
    mutating func forget() {
        parameters = nil
        isOn = false
        isTold = false
    }
}

extension HostStack {
    /// Advertises until ``stopAdvertising(at:)``; goes on after a central has connected.
    ///
    /// Ends with `advertisingStarted` or `advertisingFailed`, also when it changes what is on the air.
    ///
    /// - Parameters:
    ///   - parameters: How and what to advertise.
    ///   - now: The moment.
    public mutating func startAdvertising(_ parameters: AdvertisingParameters, at now: HostInstant) {
        guard isReady else {
            tell(.advertisingFailed(.commandDisallowed))
            return
        }
        guard parameters.fits(controller) else {
            tell(.advertisingFailed(.invalidHCICommandParameters))
            return
        }
        if advertiser.isOn { switchAdvertising(on: false, at: now) }
        advertiser.parameters = parameters
        advertiser.isTold = false
        if controller.usesExtendedCommands {
            prepareSet(parameters, at: now)
        } else {
            prepareLegacy(parameters, at: now)
        }
        resumeAdvertising(at: now)
        pump(at: now)
    }

    /// Advertises no more.
    ///
    /// - Parameter now: The moment.
    public mutating func stopAdvertising(at now: HostInstant) {
        guard isReady, advertiser.parameters != nil else { return }
        let wasOn = advertiser.isOn
        advertiser.forget()
        if wasOn { switchAdvertising(on: false, at: now) }
        pump(at: now)
    }

    /// Advertises again, if that is wanted and there is room for another central.
    mutating func resumeAdvertising(at now: HostInstant) {
        let centrals = links.count { $0.role == .peripheral }
        guard advertiser.parameters != nil, !advertiser.isOn, centrals < configuration.maximumCentrals
        else { return }
        switchAdvertising(on: true, at: now)
    }

    private mutating func switchAdvertising(on: Bool, at now: HostInstant) {
        advertiser.isOn = on
        advertiser.unansweredSwitches += 1
        if controller.usesExtendedCommands {
            command(
                HCI.LESetExtendedAdvertisingEnable(
                    enable: on, sets: [.init(advertisingHandle: Advertiser.set)]), at: now)
        } else {
            command(HCI.LESetAdvertisingEnable(enable: on), at: now)
        }
    }

    private mutating func prepareLegacy(_ parameters: AdvertisingParameters, at now: HostInstant) {
        guard let data = HCI.LESetAdvertisingData(data: parameters.data),
            let response = HCI.LESetScanResponseData(data: parameters.scanResponse)
        else { return }
        prepare(
            HCI.LESetAdvertisingParameters(
                intervalMin: parameters.interval, intervalMax: parameters.interval,
                type: parameters.isConnectable
                    ? .connectableUndirected
                    : parameters.scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected,
                ownAddressType: ownAddressType, peerAddress: BluetoothAddress(0, .public),
                channelMap: .all, filterPolicy: .all), at: now)
        prepare(data, at: now)
        prepare(response, at: now)
    }

    /// Makes the advertising set anew: a controller refuses parameters that its old data do not fit.
    private mutating func prepareSet(_ parameters: AdvertisingParameters, at now: HostInstant) {
        if advertiser.hasSet {
            command(HCI.LERemoveAdvertisingSet(advertisingHandle: Advertiser.set), at: now)
        }
        advertiser.hasSet = true
        let isLegacy = parameters.fitsLegacy
        var properties: HCI.AdvertisingEventProperties = isLegacy ? .legacy : []
        if parameters.isConnectable { properties.insert(.connectable) }
        if isLegacy, parameters.isConnectable || !parameters.scanResponse.isEmpty {
            properties.insert(.scannable)
        }
        prepare(
            HCI.LESetExtendedAdvertisingParameters(
                advertisingHandle: Advertiser.set, properties: properties,
                primaryIntervalMin: UInt32(parameters.interval.rawValue),
                primaryIntervalMax: UInt32(parameters.interval.rawValue), channelMap: .all,
                ownAddressType: ownAddressType, peerAddress: BluetoothAddress(0, .public),
                filterPolicy: .all, txPower: nil, primaryPHY: .le1M, secondaryMaxSkip: 0,
                secondaryPHY: .le1M, setID: 0, notifiesScanRequests: false), at: now)
        if let address = controller.ownAddress, address.kind == .random {
            prepare(
                HCI.LESetAdvertisingSetRandomAddress(advertisingHandle: Advertiser.set, address: address),
                at: now)
        }
        let data = isLegacy ? parameters.data : parameters.data + parameters.scanResponse
        for part in AdvertisingPart.all(of: data) {
            if let command = HCI.LESetExtendedAdvertisingData(
                advertisingHandle: Advertiser.set, operation: part.operation, data: part.data)
            {
                prepare(command, at: now)
            }
        }
        if isLegacy, !parameters.scanResponse.isEmpty,
            let command = HCI.LESetExtendedScanResponseData(
                advertisingHandle: Advertiser.set, operation: .complete, data: parameters.scanResponse)
        {
            prepare(command, at: now)
        }
    }

    private mutating func prepare(_ command: some HCI.Command, at now: HostInstant) {
        advertiser.unanswered += 1
        self.command(command, at: now)
    }

    mutating func advertisingCommandCompleted(
        _ request: HCI.CommandQueue.Request, _ status: HCI.Status, at now: HostInstant
    ) {
        let isSwitch =
            request.opcode == .leSetAdvertisingEnable || request.opcode == .leSetExtendedAdvertisingEnable
        let enables = isSwitch && request.parameters.first == 1
        if isSwitch { advertiser.unansweredSwitches -= 1 } else { advertiser.unanswered -= 1 }
        guard enables || !isSwitch, advertiser.parameters != nil else { return }
        if status == .success {
            // With as many centrals as are wanted, it is switched on only when one of them leaves.
            if enables || (advertiser.unanswered == 0 && !advertiser.isOn) { tellAdvertisingStarted() }
        } else if enables, links.contains(where: { $0.role == .peripheral }) {
            // A controller that cannot advertise beside a link tries again when the link is gone.
            advertiser.isOn = false
            tellAdvertisingStarted()
        } else {
            // What was refused must not go on the air, in case the next command was accepted.
            if !enables { switchAdvertising(on: false, at: now) }
            advertiser.forget()
            tell(.advertisingFailed(status))
        }
    }

    private mutating func tellAdvertisingStarted() {
        guard !advertiser.isTold else { return }
        advertiser.isTold = true
        tell(.advertisingStarted)
    }

    /// The controller has ended the set; with success a link is the reason, which is told by itself.
    mutating func setTerminated(_ event: HCI.LEAdvertisingSetTerminated, at now: HostInstant) {
        guard event.status != .success, event.advertisingHandle == Advertiser.set, advertiser.isOn else {
            return
        }
        advertiser.forget()
        tell(.advertisingFailed(event.status))
    }
}

/// A part of a set's data, as long as one command can carry.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
private struct AdvertisingPart {
    let operation: HCI.AdvertisingDataOperation
    let data: [UInt8]

    static func all(of data: [UInt8]) -> [AdvertisingPart] {
        let limit = HCI.extendedAdvertisingFragmentLimit
        guard data.count > limit else {
            return data.isEmpty ? [] : [AdvertisingPart(operation: .complete, data: data)]
        }
        return stride(from: 0, to: data.count, by: limit).map { start in
            let end = min(start + limit, data.count)
            return AdvertisingPart(
                operation: start == 0 ? .first : end == data.count ? .last : .intermediate,
                data: Array(data[start..<end]))
        }
    }
}
