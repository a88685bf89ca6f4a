// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Foundation
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
            queue: queue,
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
