// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import FlockFinder
import FlockFinderDevices
import Testing

@Suite struct RadioDetectorTests {
    private func camera(_ value: UInt64) -> Advertisement {
        Advertisement(
            peer: Peer(BluetoothAddress(0xC000_0000_0000 | value, kind: .random)), rssi: -60,
            isConnectable: nil, isScanResponse: false,
            data: AdvertisingData([15, 9] + Array("FS Ext Battery".utf8)))
    }

    @Test func whatIsNoticedWaitsUntilItIsFetched() {
        let detector = RadioDetector(.builtIn)
        let start = HostInstant.zero
        let time = Timestamp(milliseconds: 7)
        detector.receive(camera(1), at: start)
        #expect(detector.detections(at: start, time).isEmpty)
        let later = start.advanced(bySeconds: 1)
        let events = detector.detections(at: later, time)
        #expect(events.map(\.time) == [time])
        #expect(detector.detections(at: later, time).isEmpty)
        detector.receive(camera(2), at: later)
        #expect(detector.detections(at: nil, time).count == 1, "at the end nothing more is waited for")
    }

    @Test func whenNobodyFetchesNoMoreThanSoManyWait() {
        let detector = RadioDetector(.builtIn)
        for value in 0..<6000 as Range<UInt64> { detector.receive(camera(value), at: .zero) }
        let events = detector.detections(at: nil, Timestamp(milliseconds: 0))
        #expect(events.count == RadioDetector.capacity)
    }
}
