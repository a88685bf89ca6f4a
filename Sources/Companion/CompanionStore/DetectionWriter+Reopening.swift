// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

/// What becomes of a file that is deleted or replaced while it is in use.
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
        guard case .gone = failure else {
            goneSince = nil
            return
        }
        let since = goneSince ?? clock.now
        goneSince = since
        guard clock.now >= since + Self.patienceWithFile else { return }
        do throws(StoreError) {
            try await StoreError.catching(path: path) { [file] in try await blocking { try file.reopen() } }
            goneSince = nil
            arrears.forget()
        } catch {
            report(error, waiting: 0)
        }
    }
}
