// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import Testing

@Suite("Radios that nobody closes", .timeLimit(.minutes(5)))
struct ForgottenRadioTests {
    /// Each in a process of its own, whose standard error is looked at.
    @Test func aDebugBuildSaysThatOneWasForgotten() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let host = HostRadio(loop: try TransportLoop()) {
                (_) async throws(TransportError) -> any Transport in throw .cannotOpen("it is a test")
            }
            _ = Radio(owning: host)
        }
        let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(said.contains("a Radio was let go before it was closed"))
        #expect(said.contains("`await radio.close()`"))
    }

    @Test func nothingIsSaidOfOneThatIsClosedOrHeldByAnother() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let host = HostRadio(loop: try TransportLoop()) {
                (_) async throws(TransportError) -> any Transport in throw .cannotOpen("it is a test")
            }
            _ = host.radio
            await Radio(owning: host).close()
        }
        #expect(!String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains("Radio"))
    }
}
