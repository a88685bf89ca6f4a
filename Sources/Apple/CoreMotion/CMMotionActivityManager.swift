// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings
import VirtualPhone

/// What is called with an activity; `nil` when there is none.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// What is called with the activities of a time, or with why there are none.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Tells an app how the phone is moved, and asks a person whether it may when the app first wants to know.
open class CMMotionActivityManager: NSObject {
    private let app: VirtualPhone.App?
    private var updates: ActivityUpdates?
    private var queries: [ActivityQuery] = []

    /// Makes one.
    public override init() {
        app = VirtualPhone.App.current
        if app == nil { ActivityUpdates.missPhone("CMMotionActivityManager") }
    }

    deinit { updates?.stop() }

    /// Whether the phone can feel how it is moved.
    open class func isActivityAvailable() -> Bool {
        VirtualPhone.App.current?.phone.surroundings.hasMotionSensor ?? false
    }

    /// Whether a person lets the app know.
    open class func authorizationStatus() -> CMAuthorizationStatus {
        switch VirtualPhone.App.current?.motionPermission {
        case .allowed: .authorized
        case .denied: .denied
        case .restricted: .restricted
        case .notAsked, nil: .notDetermined
        }
    }

    /// Tells from now on how the phone is moved, now and whenever that changes.
    ///
    /// - Parameters:
    ///   - queue: Where.
    ///   - handler: What is called; never, where a person does not allow it.
    open func startActivityUpdates(
        to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
    ) {
        updates?.stop()
        updates = nil
        guard let app, app.phone.surroundings.hasMotionSensor else { return }
        // It is called on the queue alone, one call after another, as the app has asked.
        updates = ActivityUpdates(app, queue, Carried(handler))
        app.record.askForMotion()
        updates?.look(.permission)
    }

    /// Tells no more.
    open func stopActivityUpdates() {
        updates?.stop()
        updates = nil
    }

    /// Tells how the phone was moved.
    ///
    /// - Parameters:
    ///   - start: From when.
    ///   - end: Until when.
    ///   - queue: Where the handler is called.
    ///   - handler: What is called, once.
    open func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        withHandler handler: @escaping CMMotionActivityQueryHandler
    ) {
        let handler = Carried(handler)
        guard let app, app.phone.surroundings.hasMotionSensor else {
            queue.addOperation { handler.value(nil, CMErrorMotionActivityNotAvailable.error) }
            return
        }
        queries.removeAll(where: \.isOver)
        let query = ActivityQuery(app, queue, from: start, to: end, handler)
        queries.append(query)
        app.record.askForMotion()
        query.look()
    }

    /// Tells how the phone was moved.
    ///
    /// - Parameters:
    ///   - start: From when.
    ///   - end: Until when.
    ///   - queue: Where the answer is made.
    /// - Returns: The activities.
    /// - Throws: An `NSError` of ``CMErrorDomain`` when the app may not know.
    nonisolated(nonsending) open func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue
    ) async throws -> [CMMotionActivity] {
        let activities: Carried<[CMMotionActivity]> = try await withCheckedThrowingContinuation { answer in
            queryActivityStarting(from: start, to: end, to: queue) { activities, error in
                if let error { return answer.resume(throwing: error) }
                answer.resume(returning: Carried(activities ?? []))
            }
        }
        return activities.value
    }
}
