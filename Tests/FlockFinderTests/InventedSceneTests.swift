// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import FlockFinder

@Suite struct InventedSceneTests {
    @Test func theLiveStreamSaysWhatRealFirmwareSays() {
        var scene = AirScene(seed: 3)
        var kinds: Set<String> = []
        var channels: Set<String> = []
        for hop in 0..<200 {
            for object in scene.next(uptime: Int64(hop) * 500) {
                #expect(object.count <= 139)
                let text = WireText(object).string
                var stream = JSONObjectStream()
                stream.receive(object, at: .zero)
                #expect(stream.next() == .object(object))
                kinds.insert(text.split(separator: "\"").dropFirst(2).first.map(String.init) ?? "")
                let keys = text.split(separator: ",").map { $0.prefix { $0 != ":" } }.joined(separator: ",")
                #expect(
                    [
                        #"{"evt","ch","ts""#, #"{"evt","msg","ts""#,
                        #"{"evt","ssid","mac","rssi","ch","type","ts""#,
                        #"{"evt","name","mac","rssi","svc","ts""#,
                    ].contains(keys))
                if text.contains("channel") { channels.insert(text.prefix(29).filter(\.isNumber)) }
                #expect(text.hasSuffix(#","ts":\#(hop * 500)}"#))
            }
        }
        #expect(channels == Set((1...13).map(String.init)))
    }

    @Test func theRouteDependsOnTheSeedAlone() {
        func drive(_ seed: UInt64) -> [Detection?] {
            var route = CameraRoute(seed: seed)
            return (0..<200).map { route.next(uptime: $0) }
        }
        #expect(drive(1) == drive(1))
        #expect(drive(1) != drive(2))
    }

    @Test func signalsRiseAndFallAsTheCarPasses() {
        var route = CameraRoute(seed: 5)
        var signals: [UInt64: [Int]] = [:]
        for look in 0..<500 {
            if let detection = route.next(uptime: Int64(look)) {
                signals[detection.mac ?? 0, default: []].append(detection.rssi)
            }
        }
        let passes = signals.values.filter { $0.count >= 4 }
        #expect(passes.count > 20)
        let rising = passes.filter { series in
            let peak = series.firstIndex(of: series.max() ?? 0) ?? 0
            return peak > 0 && peak < series.count - 1
        }
        #expect(rising.count * 2 > passes.count, "most are strongest in the middle")
    }

    @Test(
        "The path loss follows the distance",
        arguments: [(0, 0), (1, 0), (2, 4), (9, 12), (100, 26), (5_625, 50), (1_000_000, 80)])
    func pathLoss(squaredDistance: Int, loss: Int) {
        #expect(abs(CameraRoute.pathLoss(squaredDistance: squaredDistance) - loss) <= 1)
    }
}
