// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
package import Dispatch
import Synchronization
package import VirtualPhone

/// What an object of an app learns of its phone, until the app ends or the object is gone.
package final class Listener: PhoneClient {
    /// What has changed.
    package enum Change: Sendable {
        /// Where the phone is.
        case place
        /// How it is moved.
        case activity
        /// What a person or a switch allows, or a prompt has come.
        case permission
        /// The app has left the screen or come back.
        case app
        /// The app has ended.
        case ended
    }

    private let record: AppRecord
    // A struct, since a function in a generic is wrapped once more each time that it is read.
    private struct Told {
        let changed: @Sendable (Change) -> Void
    }

    private let told: Mutex<Told?>

    /// Follows from now on; whoever wants to go on following holds it.
    package init(_ app: VirtualPhone.App, changed: @escaping @Sendable (Change) -> Void) {
        record = app.record
        told = Mutex(Told(changed: changed))
        app.phone.surroundings.add(self)
        app.add(self)
    }

    package func tell(_ change: Change) { told.withLock { $0 }?.changed(change) }

    /// Learns nothing any more.
    package func stop() { told.withLock { $0 = nil } }

    package func conditionChanged() {
        record.placeChanged()
        tell(.app)
    }

    package func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)? {
        record.appEnded(isRestorable: isRestorable)
        tell(.ended)
        stop()
        return nil
    }
}

extension VirtualPhone.App {
    /// Runs something as this app on a queue; a clock of tests stands still until it has.
    package func tell(on queue: DispatchQueue = .main, _ body: @escaping @Sendable () -> Void) {
        let clock = phone.radio.backend.clock
        clock.hold()
        queue.async {
            self.run(body)
            clock.release()
        }
    }

    /// Runs something as this app, here and now.
    package func tellHere(_ body: () -> Void) { run(body) }

    /// The same, where somebody else brings it to its thread.
    package func telling(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let clock = phone.radio.backend.clock
        clock.hold()
        return {
            self.run(body)
            clock.release()
        }
    }
}

/// How something that goes on beside an app finds an object of it, as long as the app holds that.
package final class WeakReference<Object: AnyObject>: Sendable {
    // It is carried from thread to thread, and used on that of the object alone.
    private struct Held: @unchecked Sendable {
        weak var object: Object?
    }

    private let held = Mutex(Held())

    package init(_ object: Object? = nil) { set(object) }

    package var object: Object? {
        // The object is used on the thread that it belongs to.
        nonisolated(unsafe) var object: Object?
        held.withLock { object = $0.object }
        return object
    }

    package func set(_ object: Object?) {
        nonisolated(unsafe) let object = object
        held.withLock { $0.object = object }
    }
}

/// Something that is used on one thread only, carried there.
package struct Carried<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
