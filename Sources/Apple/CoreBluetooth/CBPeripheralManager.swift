// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import VirtualPhone

/// Publishes services, answers for them, and advertises.
open class CBPeripheralManager: CBManager {
    /// What is told of devices and their requests.
    open weak var delegate: (any CBPeripheralManagerDelegate)?
    /// What is published; `nil` where no phone is.
    private(set) var publication: Publication?

    /// Makes a manager that tells nobody.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - delegate: What is told.
    ///   - queue: Where; the main queue, unless said otherwise.
    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Makes a manager; one with a restore identifier goes on where one of the same was when the system ended the app.
    ///
    /// - Parameters:
    ///   - delegate: What is told.
    ///   - queue: Where; the main queue, unless said otherwise.
    ///   - options: Those whose keys begin with `CBPeripheralManagerOption`.
    public init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        super.init(
            _queue: queue,
            restoreIdentifier: options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String)
        self.delegate = delegate
        if let keptAs, let kept = app?.takeKept(keptAs) as? KeptPeripheral {
            restore(kept)
        } else {
            publication = app.map { Publication($0, reference, callbacks) }
        }
        begin()
    }

    deinit { publication?.end() }

    /// Whether the app may share data in the background.
    @available(*, deprecated, message: "Use CBManager.authorization.")
    open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
        CBPeripheralManagerAuthorizationStatus(rawValue: authorization.rawValue) ?? .notDetermined
    }

    override var backgroundMode: VirtualPhone.App.BackgroundModes { .peripheral }

    override func stateChanged(_ state: CBManagerState) {
        // Apple's documentation of `peripheralManagerDidUpdateState(_:)`: below `.poweredOff` what was published is gone and
        // advertising has ended; at `.poweredOff` both pause.
        if state.rawValue < CBManagerState.poweredOff.rawValue {
            publication?.removeAll()
            endAdvertising()
        }
        delegate?.peripheralManagerDidUpdateState(self)
    }

    override func placeChanged() { publication?.placeChanged() }

    // MARK: Advertising

    /// Whether the app advertises, or will again as soon as it can.
    open var isAdvertising: Bool {
        _observers.access(\CBPeripheralManager.isAdvertising)
        return publication?.isAdvertising ?? false
    }

    /// Advertises a name and services; those that do not fit go to the overflow area.
    ///
    /// - Parameter advertisementData: ``CBAdvertisementDataLocalNameKey`` and ``CBAdvertisementDataServiceUUIDsKey``; nothing else
    ///   can be advertised.
    open func startAdvertising(_ advertisementData: [String: Any]?) {
        guard isReady(), let publication else { return }
        let wanted = advertisementData ?? [:]
        for key in wanted.keys.sorted()
        where ![CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey].contains(key) {
            misused("The advertisement key '\(key)' is not allowed")
        }
        guard publication.want(wanted) else { return tellStarted(CBError(.alreadyAdvertising)) }
        publication.advertise { [callbacks, reference] result in
            callbacks.post {
                guard let manager = reference.object as? CBPeripheralManager else { return }
                if case .success = result { manager.setAdvertising() } else { manager.endAdvertising() }
                manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: result.error)
            }
        }
    }

    /// Advertises no more; links stay open.
    open func stopAdvertising() { if isReady() { endAdvertising() } }

    private func tellStarted(_ error: CBError) {
        callbacks.post { [reference] in
            guard let manager = reference.object as? CBPeripheralManager else { return }
            manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: error)
        }
    }

    private func setAdvertising() {
        _observers.change(\CBPeripheralManager.isAdvertising) { publication?.isOnAir() }
    }

    private func endAdvertising() {
        _observers.change(\CBPeripheralManager.isAdvertising) { publication?.stopAdvertising() }
    }

    // MARK: Services

    /// Publishes a service; the app must not change it from then on.
    ///
    /// - Parameter service: The service; those that it includes are published before.
    open func add(_ service: CBMutableService) { publish(service) }

    /// Publishes a service no more.
    ///
    /// - Parameter service: The service.
    open func remove(_ service: CBMutableService) {
        guard isReady(), publication?.remove(service) == false else { return }
        misused("\(service) is not published")
    }

    /// Publishes nothing more; services of other apps stay.
    open func removeAllServices() { if isReady() { publication?.removeAll() } }

    /// Answers a read or a write.
    ///
    /// An app is asked for each request of the device: for a value that is longer than one answer carries once for each part, with the
    /// part's ``CBATTRequest/offset``, and gives the value from there on; what does not fit is cut off. A value that a device writes in
    /// parts comes whole. Apple's documentation says of the offset that a read or write of the value begins there, not how many
    /// requests a long value makes.
    ///
    /// - Parameters:
    ///   - request: The read, or the first of the requests that were written together, which answers for all of them.
    ///   - result: ``CBATTError/Code/success``, or why not.
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        answer(request, result)
    }

    /// Sends a value to those who have subscribed.
    ///
    /// - Parameters:
    ///   - value: The value; what is longer than ``CBCentral/maximumUpdateValueLength`` is cut off.
    ///   - characteristic: Of what.
    ///   - centrals: To whom; `nil` to all.
    /// - Returns: Whether there was room; if not, ``CBPeripheralManagerDelegate/peripheralManagerIsReady(toUpdateSubscribers:)``
    ///   says when there is.
    open func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool { send(value, of: characteristic, to: centrals) }

    /// Asks a device for a link that is as quick, or takes as little energy, as is wanted; it may refuse.
    ///
    /// Apple does not say what each of the three asks for. Here `low` is an interval of 15 to 30 ms, `medium` of 60 to 120 ms, `high`
    /// of 250 to 500 ms; no event is left out, and the link is lost after 6 s of silence.
    ///
    /// - Parameters:
    ///   - latency: What is wanted.
    ///   - central: Whose link.
    open func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) { askFor(latency, of: central) }

    /// Lets devices open channels, under a number that is told.
    ///
    /// - Parameter encryptionRequired: Whether a device whose link is not encrypted is refused.
    open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        publishChannel(isEncrypted: encryptionRequired)
    }

    /// Lets devices open no more channels under a number; those that are open stay so.
    ///
    /// - Parameter PSM: The number.
    open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) { unpublishChannel(PSM) }

    // MARK: Restoration

    /// Under which name the system keeps it: a central manager may have the same.
    private var keptAs: String? { restoreIdentifier.map { "\($0) (peripheral)" } }

    override func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)? {
        delegate = nil
        let ended = lock.withLock {
            defer { publication = nil }
            return publication
        }
        guard isRestorable, let keptAs, let ended else {
            ended?.end()
            return super.ended(isRestorable: isRestorable)
        }
        let callbacks = detachCallbacks()
        ended.placeChanged()
        return (keptAs, KeptPeripheral(reference: reference, callbacks: callbacks, publication: ended))
    }

    private func restore(_ kept: KeptPeripheral) {
        publication = kept.publication
        let state = Carried(kept.publication.restoredState)
        goOn(kept.reference, kept.callbacks) { [reference = kept.reference] in
            guard let manager = reference.object as? CBPeripheralManager else { return }
            manager.delegate?.peripheralManager(manager, willRestoreState: state.value)
        }
    }
}

/// What the system keeps of a peripheral manager for the day on which it starts the app again.
struct KeptPeripheral: Sendable {
    let reference: Reference<CBManager>
    let callbacks: CallbackQueue
    let publication: Publication
}
