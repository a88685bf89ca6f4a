// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BluetoothLE

enum RunnerSnippets {
    static func run(_ radio: Radio) async throws {
        // snippet: run
        try await DeviceRunner(Thermometer(), on: radio).run { event in print(event) }
        // end
    }

    static func read(_ radio: Radio) async {
        // snippet: run-client
        let runner = ClientRunner(ThermometerReader(), on: radio)
        await runner.run { event in
            print(event)
            if case .hundredths = event { await runner.update { reader, now in reader.close(at: now) } }
        }
        // end
    }
}
