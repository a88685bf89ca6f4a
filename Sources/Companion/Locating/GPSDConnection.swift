// SPDX-License-Identifier: Apache-2.0

public import Detections

/// A connection to gpsd; how it is made is left to whoever has sockets.
public protocol GPSDConnection: Sendable {
    /// Connects and listens until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - receive: Gets what the session puts out; what it wants sent is sent already.
    ///   - clock: Milliseconds of a clock that nobody sets.
    /// - Returns: Why it has ended, as a phrase.
    /// - Throws: What `receive` throws.
    func run(
        _ receive: @escaping @Sendable (GPSDSession.Output) throws -> Void,
        clock: @escaping @Sendable () -> UInt64
    ) async throws -> String
}
