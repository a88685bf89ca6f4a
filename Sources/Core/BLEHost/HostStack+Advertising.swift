// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

extension HostStack {
    /// Advertises until ``stopAdvertising(at:)``; goes on after a central has connected.
    ///
    /// Ends with `advertisingStarted` or `advertisingFailed`, also when it changes what is on the air; of several
    /// changes at once, the last does. After `advertisingFailed` it is not wanted any more. Advertising that has
    /// started and is lost is reported by `advertisingFailed`, too, and tried again until `advertisingStarted` comes.
    ///
    /// - Parameters:
    ///   - parameters: How and what to advertise.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func startAdvertising(_ parameters: AdvertisingParameters, at now: HostInstant) {
        guard isReady, !stopsServing else {
            report(.advertisingFailed(.commandDisallowed))
            return
        }
        guard parameters.fits(controller) else {
            report(.advertisingFailed(.invalidHCICommandParameters))
            return
        }
        advertiser.start(parameters, at: now)
        drainAdvertiser(at: now)
        pump(at: now)
    }

    /// Advertises no more.
    ///
    /// - Parameter now: The moment.
    public mutating func stopAdvertising(at now: HostInstant) {
        guard isReady else { return }
        advertiser.stop(at: now)
        drainAdvertiser(at: now)
        pump(at: now)
    }

    /// Carries out what the advertiser wants.
    mutating func drainAdvertiser(at now: HostInstant) {
        while let output = advertiser.nextOutput() {
            switch output {
            case .command(let command, let step, let run):
                let purpose = Purpose.advertise(step, run: run)
                if advertiser.means.isExtended {
                    sendExtended(command, for: purpose, at: now)
                } else {
                    sendLegacy(command, for: purpose, at: now)
                }
            case .started: report(.advertisingStarted)
            case .failed(let status): report(.advertisingFailed(status))
            }
        }
    }

    private mutating func sendLegacy(
        _ command: Advertiser.Command, for purpose: Purpose, at now: HostInstant
    ) {
        switch command {
        case .configure(let parameters):
            enqueue(
                HCI.LESetAdvertisingParameters(
                    intervalMin: parameters.interval, intervalMax: parameters.interval,
                    type: parameters.isConnectable
                        ? .connectableUndirected
                        : parameters.scanResponse.isEmpty
                            ? .nonConnectableUndirected : .scannableUndirected,
                    ownAddressType: ownAddressType, peerAddress: BluetoothAddress(0, kind: .public),
                    channelMap: .all, filterPolicy: .all), for: purpose, at: now)
        case .setData(_, let data):
            if let command = HCI.LESetAdvertisingData(data: data) { enqueue(command, for: purpose, at: now) }
        case .setResponse(let data):
            if let command = HCI.LESetScanResponseData(data: data) {
                enqueue(command, for: purpose, at: now)
            }
        case .enable: enqueue(HCI.LESetAdvertisingEnable(enable: true), for: purpose, at: now)
        case .disable: enqueue(HCI.LESetAdvertisingEnable(enable: false), for: purpose, at: now)
        // There are no sets.
        case .removeSet, .setAddress: break
        }
    }

    private mutating func sendExtended(
        _ command: Advertiser.Command, for purpose: Purpose, at now: HostInstant
    ) {
        let set = Advertiser.set
        switch command {
        case .removeSet: enqueue(HCI.LERemoveAdvertisingSet(advertisingHandle: set), for: purpose, at: now)
        case .configure(let parameters): configureSet(parameters, for: purpose, at: now)
        case .setAddress:
            enqueue(
                HCI.LESetAdvertisingSetRandomAddress(
                    advertisingHandle: set,
                    address: addressOnAir ?? BluetoothAddress(0, kind: .random)),
                for: purpose, at: now)
        case .setData(let operation, let data):
            if let command = HCI.LESetExtendedAdvertisingData(
                advertisingHandle: set, operation: operation, data: data)
            {
                enqueue(command, for: purpose, at: now)
            }
        case .setResponse(let data):
            if let command = HCI.LESetExtendedScanResponseData(
                advertisingHandle: set, operation: .complete, data: data)
            {
                enqueue(command, for: purpose, at: now)
            }
        case .enable:
            enqueue(
                HCI.LESetExtendedAdvertisingEnable(enable: true, sets: [.init(advertisingHandle: set)]),
                for: purpose, at: now)
        case .disable:
            enqueue(
                HCI.LESetExtendedAdvertisingEnable(enable: false, sets: [.init(advertisingHandle: set)]),
                for: purpose, at: now)
        }
    }

    private mutating func configureSet(
        _ parameters: AdvertisingParameters, for purpose: Purpose, at now: HostInstant
    ) {
        let isLegacy = parameters.fitsLegacy
        var properties: HCI.AdvertisingEventProperties = isLegacy ? .legacy : []
        if parameters.isConnectable { properties.insert(.connectable) }
        if isLegacy, parameters.isConnectable || !parameters.scanResponse.isEmpty {
            properties.insert(.scannable)
        }
        enqueue(
            HCI.LESetExtendedAdvertisingParameters(
                advertisingHandle: Advertiser.set, properties: properties,
                primaryIntervalMin: UInt32(parameters.interval.rawValue),
                primaryIntervalMax: UInt32(parameters.interval.rawValue), channelMap: .all,
                ownAddressType: ownAddressType, peerAddress: BluetoothAddress(0, kind: .public),
                filterPolicy: .all, txPower: nil, primaryPHY: .le1M, secondaryMaxSkip: 0,
                secondaryPHY: .le1M, setID: 0, notifiesScanRequests: false), for: purpose, at: now)
    }

    /// The controller has ended the set; with success a link is the reason, which is reported by itself.
    mutating func setTerminated(_ event: HCI.LEAdvertisingSetTerminated, at now: HostInstant) {
        guard event.status != .success, event.advertisingHandle == Advertiser.set else { return }
        advertiser.setTerminated(event.status, at: now)
        drainAdvertiser(at: now)
    }
}
