// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BluetoothLE
public import Dispatch
public import Foundation
import VirtualPhone

/// What central and peripheral managers have in common: whether Bluetooth can be used.
open class CBManager: NSObject, _KeyValueCodingAndObserving {
    /// Who observes it.
    public let _observers = _KeyValueObservers()
    /// The app that this is a manager of; `nil` where no phone is: then Bluetooth is not supported.
    let app: VirtualPhone.App?
    private let appQueue: DispatchQueue
    /// Guards what the app's threads and its queue both see.
    let lock = NSRecursiveLock()
    private var told = CBManagerState.unknown
    private var toldTo: CallbackQueue
    let restoreIdentifier: String?
    /// How what goes on beside the app finds the manager: another one once the app was started again.
    private(set) var reference: Reference<CBManager>

    /// Whether Bluetooth can be used, as the delegate was told last.
    open var state: CBManagerState {
        _observers.access(\CBManager.state)
        return lock.withLock { told }
    }

    /// Whether a person has let this app use Bluetooth.
    open class var authorization: CBManagerAuthorization {
        switch VirtualPhone.App.current?.permission {
        case .allowed: .allowedAlways
        case .denied: .denied
        case .restricted: .restricted
        case .notAsked, nil: .notDetermined
        }
    }

    /// Whether a person has let this app use Bluetooth.
    open var authorization: CBManagerAuthorization { Self.authorization }

    /// What the app is told.
    var callbacks: CallbackQueue { lock.withLock { toldTo } }

    /// Not to be called: it is there for subclasses in other modules to inherit all initializers.
    public init(_queue queue: DispatchQueue?, restoreIdentifier: String?) {
        app = VirtualPhone.App.current
        appQueue = queue ?? .main
        toldTo = CallbackQueue(appQueue, app)
        self.restoreIdentifier = restoreIdentifier
        reference = Reference()
        super.init()
        reference.object = self
    }

    deinit { toldTo.close() }

    /// Follows the phone's switches; the first state is told soon, never at once.
    func begin() {
        app?.add(reference)
        conditionChanged()
    }

    /// Goes on where a manager of the same name was when the system ended the app.
    ///
    /// - Parameters:
    ///   - reference: How that one was found.
    ///   - callbacks: What it was telling the app.
    ///   - first: What the app is told first.
    func goOn(
        _ reference: Reference<CBManager>, _ callbacks: CallbackQueue, first: @escaping @Sendable () -> Void
    ) {
        reference.object = self
        lock.withLock { (self.reference, toldTo) = (reference, callbacks) }
        // What waits comes after the state: an app may do nothing before.
        callbacks.attach(appQueue) {
            first()
            reference.object?.lookAtCondition()
        }
    }

    /// Has the system keep what the app is to be told, so that it does not end with this manager.
    final func detachCallbacks() -> CallbackQueue {
        lock.withLock {
            let kept = toldTo
            kept.detach()
            toldTo = CallbackQueue(appQueue, app)
            toldTo.close()
            return kept
        }
    }

    /// What the app may go on doing in the background for this manager to be told.
    var backgroundMode: VirtualPhone.App.BackgroundModes { .central }

    final func conditionChanged() {
        let (callbacks, reference) = (callbacks, reference)
        callbacks.setAwake(app?.isAwake(for: backgroundMode) ?? true)
        callbacks.post { reference.object?.lookAtCondition() }
        placeChanged()
    }

    /// The app may have left the screen or have come back.
    func placeChanged() {}

    /// The app has ended.
    func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)? {
        callbacks.close()
        return nil
    }

    func lookAtCondition() {
        let now = Self.state(of: app)
        let isNew = lock.withLock { told != now }
        guard isNew else { return }
        _observers.change(\CBManager.state) { lock.withLock { told = now } }
        stateChanged(now)
    }

    private static func state(of app: VirtualPhone.App?) -> CBManagerState {
        guard let app else { return .unsupported }
        switch app.permission {
        case .denied, .restricted: return .unauthorized
        case .notAsked: return .unknown
        case .allowed: break
        }
        return app.phone.isPoweredOn.map { $0 ? .poweredOn : .poweredOff } ?? .unknown
    }

    /// Tells the delegate; on the queue.
    func stateChanged(_ state: CBManagerState) {}

    /// Says what Apple's framework says when something is asked for that cannot be.
    func misused(_ what: String) {
        FileHandle.standardError.write(Data("[CoreBluetooth] API MISUSE: \(self) \(what)\n".utf8))
    }

    /// Whether something can be asked for now; says on the standard error when it cannot.
    func isReady() -> Bool {
        guard state == .poweredOn else {
            misused("can only accept this command while in the powered on state")
            return false
        }
        return true
    }
}

/// How something that goes on beside the app finds what it is for, as long as somebody else holds that.
final class Reference<Object: AnyObject>: @unchecked Sendable {
    private let lock = NSLock()
    private weak var held: Object?

    init(_ object: Object? = nil) { held = object }

    var object: Object? {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
    }
}

extension Reference: PhoneClient where Object == CBManager {
    func conditionChanged() { object?.conditionChanged() }

    func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)? {
        object?.ended(isRestorable: isRestorable)
    }
}

extension BluetoothError {
    /// The error that Apple's framework has for this.
    var core: any Error {
        let why = [NSLocalizedDescriptionKey: description]
        return switch self {
        case .refused(let code): CBATTError(octet: code.rawValue)
        case .tooLong: CBATTError(.invalidAttributeValueLength)
        case .connectFailed(.connectTimeout), .disconnected(.supervisionTimeout), .timeout:
            CBError(.connectionTimeout, userInfo: why)
        case .connectFailed: CBError(.connectionFailed, userInfo: why)
        case .disconnected(.closedByPeer), .disconnected(.closedByPeerBecause):
            CBError(
                .peripheralDisconnected,
                userInfo: [NSLocalizedDescriptionKey: "The specified device has disconnected from us."])
        case .disconnected: CBError(.notConnected, userInfo: why)
        case .cancelled: CBError(.operationCancelled, userInfo: why)
        case .pairing(.keyMissing): CBError(.peerRemovedPairingInformation, userInfo: why)
        case .pairing: CBError(.encryptionTimedOut, userInfo: why)
        case .unsupported, .notOffered: CBError(.operationNotSupported, userInfo: why)
        case .invalidArgument: CBError(.invalidParameters, userInfo: why)
        default: CBError(.unknown, userInfo: why)
        }
    }
}
