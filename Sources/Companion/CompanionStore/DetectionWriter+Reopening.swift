// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

/// What becomes of a file that is deleted, replaced or written over while it is in use.
extension DetectionWriter {
    /// How long is waited for a file that has gone; it may be on its way to where it was.
    private static let patienceWithFile = Duration.seconds(2)

    var connections: any DatabaseWriter { file.connections }
    var log: WriteAheadLog? { file.log }

    /// Looks whether the file is where it was, when nothing is stored that would notice.
    func lookAfterFile() async {
        if isInPlace || isBusy { return }
        _ = try? await perform(rows: 0) { _ in }
    }

    private var isInPlace: Bool { file.isInPlace }

    /// Opens what is there now, when the file has been away for a while.
    func reopen(after failure: StoreError) async {
        switch failure {
        case .gone, .overwritten: break
        default:
            goneSince = nil
            return
        }
        let since = goneSince ?? clock.now
        goneSince = since
        guard clock.now >= since + Self.patienceWithFile else { return }
        do throws(StoreError) {
            try await StoreError.catching(path: path) { [file] in try await blocking { try file.reopen() } }
            (goneSince, damage) = (nil, nil)
            arrears.forget()
        } catch {
            report(error, waiting: 0)
        }
    }

    /// What has failed, which is noted for the end; what is damaged may have been written over.
    func told(_ error: any Error) async -> StoreError {
        var failure = StoreError(error, path: path)
        if failure.isDamage {
            // This looks at it.
            _ = try? await log?.contentVersion()
            if log?.isWrittenOver == true { failure = .overwritten(path: path) }
        }
        note(failure)
        return failure
    }

    /// Notes what the end is to say.
    func note(_ failure: StoreError) {
        if case .overwritten = failure { overwritten = failure }
        if failure.isDamage { damage = failure }
    }

    func report(_ failure: StoreError, waiting: Int) {
        guard trouble != failure else { return }
        trouble = failure
        var event = StoreStatus(error: failure, waiting: waiting)
        if case .busy = failure { event.holder = LockHolder.find(path: path) }
        for listener in listeners.values { listener.yield(event) }
    }

    func overcome() {
        guard trouble != nil else { return }
        trouble = nil
        for listener in listeners.values { listener.yield(StoreStatus(error: nil, waiting: 0)) }
    }
}
