// SPDX-License-Identifier: Apache-2.0

public import BluetoothLE
import Foundation

extension VirtualPhone {
    /// Runs this process as an app, on the main run loop, as a phone does: its timers fire, which they do not under a `main` that is
    /// asynchronous.
    ///
    /// For a `main.swift`, or a `main()` that is not asynchronous:
    ///
    /// ```
    /// VirtualPhone.run { try await Radio.open("tcp:127.0.0.1:9000") } app: {
    ///     model = LampModel()      // makes its CBCentralManager
    /// }
    /// ```
    ///
    /// A radio that cannot be opened ends the process with status 1 and says why on the standard error.
    ///
    /// - Parameters:
    ///   - name: What the phone is called.
    ///   - bundleIdentifier: The app's, as `org.example.lamp`.
    ///   - radio: Opens the radio of the phone.
    ///   - start: Makes what the app consists of, which has to be held somewhere.
    public static func run(
        named name: String = "iPhone", _ bundleIdentifier: String = "org.example.app",
        radio: @escaping @Sendable () async throws -> Radio,
        app start: @escaping @MainActor @Sendable () -> Void
    ) -> Never {
        Task { @MainActor in
            do {
                let app = VirtualPhone(name: name, radio: try await radio()).app(bundleIdentifier)
                App.use(app)
                app.launch { start() }
            } catch {
                FileHandle.standardError.write(Data("The phone has no radio: \(error)\n".utf8))
                exit(1)
            }
        }
        // It returns where nothing is to be waited for.
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
