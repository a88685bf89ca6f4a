// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Process {
    /// Starts the program with no signal blocked.
    ///
    /// The threads that run Swift's tasks block every signal, and a program inherits what the thread that starts it
    /// blocks: it could then be ended by nothing but SIGKILL.
    ///
    /// - Throws: What `run()` throws.
    func runWithSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }

    /// Ends the program and what it has started: SIGTERM, and SIGKILL for what is still there after the grace.
    ///
    /// A cancelled task does not shorten the grace.
    ///
    /// - Parameter grace: How long it may take to end.
    func end(grace: Duration = .seconds(2)) async {
        guard isRunning else { return }
        signal(SIGTERM)
        for _ in 0..<20 where isRunning {
            await Task { try? await Task.sleep(for: grace / 20) }.value
        }
        if isRunning { signal(SIGKILL) }
    }

    /// Sends a signal to the program and to what it has started.
    private func signal(_ number: Int32) {
        // Foundation makes it the first of a group of its own; where it has not, it alone gets the signal.
        if kill(-processIdentifier, number) != 0 { kill(processIdentifier, number) }
    }
}
