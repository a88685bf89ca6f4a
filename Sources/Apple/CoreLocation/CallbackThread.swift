// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PhoneSurroundings
import VirtualPhone

/// The thread on which a manager was made, where its delegate is told: the main queue, or the run loop of another thread.
struct CallbackThread: Sendable {
    // A run loop may be given work from other threads; Foundation on Linux does not say so.
    private let loop: Carried<RunLoop>?

    private static let isMain: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The thread that calls.
    static var current: CallbackThread {
        // Under an asynchronous main the main queue runs on another thread than the first.
        if Thread.isMainThread || DispatchQueue.getSpecific(key: isMain) == true {
            return CallbackThread(loop: nil)
        }
        return CallbackThread(loop: Carried(RunLoop.current))
    }

    var isMain: Bool { loop == nil }

    /// Does something there as an app.
    func tell(_ app: VirtualPhone.App, _ body: @escaping @Sendable () -> Void) {
        guard let loop else { return app.tell(body) }
        // A thread whose run loop does not run is never told, as on Apple's systems; the clock of a test does not wait for it.
        loop.value.perform(inModes: [.common, .default]) { app.tellHere(body) }
        // A block alone does not wake the loop.
        loop.value.add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default)
    }
}
