// SPDX-License-Identifier: Apache-2.0

import SwiftUI

// A person waits until a button can be pressed; how long that takes depends on what else the machine does.
extension Screen {
    /// Does something as soon as it can be done.
    private func soon(_ act: @escaping @MainActor () throws -> Void) async throws {
        var failure: (any Error)?
        let isDone = await wait(seconds: 30) {
            do {
                try act()
                return true
            } catch {
                failure = error
                return false
            }
        }
        if !isDone, let failure { throw failure }
    }

    /// Presses something as soon as it can be pressed.
    func press(_ name: String) async throws {
        let press: (String) throws -> Void = press(_:)
        try await soon { try press(name) }
    }

    /// Presses the one thing whose name has a part, as soon as it can be pressed.
    func press(having part: String) async throws {
        let press: (String) throws -> Void = press(having:)
        try await soon { try press(part) }
    }

    /// Chooses something as soon as it can be chosen.
    func choose(_ option: String, in name: String) async throws {
        let choose: (String, String) throws -> Void = choose(_:in:)
        try await soon { try choose(option, name) }
    }

    /// Enters a text as soon as it can be entered.
    func enter(_ text: String, into name: String, submit: Bool = false) async throws {
        let enter: (String, String, Bool) throws -> Void = enter(_:into:submit:)
        try await soon { try enter(text, name, submit) }
    }
}
