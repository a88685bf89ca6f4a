// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import SessionTesting
import Testing

// snippet: session-test
@Test func theReaderComesBackToAThermometerThatWasGone() {
    let pair = SessionPair(ThermometerReader(), Thermometer())
    pair.start()
    pair.run(milliseconds: 2500)
    #expect(pair.events.suffix(2) == [.hundredths(2151), .hundredths(2152)])

    pair.isThere = false
    pair.loseLink()
    pair.run(seconds: 60)
    #expect(pair.events.last != .hundredths(2152))

    pair.isThere = true
    pair.run(seconds: 60)
    #expect(pair.isConnected)

    pair.update { reader, now in reader.close(at: now) }
    #expect(pair.isFinished)
}
// end
