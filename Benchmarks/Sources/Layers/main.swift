// SPDX-License-Identifier: Apache-2.0

// bench-layers host|corebluetooth notifications|reads TIMES: what a central costs beside a device on one virtual air, all in this
// process: on our own host, or on BLECoreBluetooth over our own module CoreBluetooth for Linux. Nothing of it is Apple's framework.
// Prints one JSON object.

import BLECoreBluetooth
import BLEVirtualRadio
import BluetoothLE
import Foundation
import VirtualPhone

let arguments = CommandLine.arguments
guard arguments.count == 4, let times = Int(arguments[3]), times > 0,
    ["host", "corebluetooth"].contains(arguments[1]), ["notifications", "reads"].contains(arguments[2])
else { stop("usage: bench-layers host|corebluetooth notifications|reads TIMES") }

let service: BluetoothUUID = "A5C10000-0000-4000-8000-00805F9B34FB"
let value: BluetoothUUID = "A5C10001-0000-4000-8000-00805F9B34FB"

try await TestAir.run(within: .seconds(1_000_000)) { air in
    let server = try await air.radio("C0:00:00:00:00:01").serve(
        ServerDescription(
            name: "bench",
            services: [
                GATT.ServiceDefinition(
                    service,
                    characteristics: [
                        .init(value, [.read, .notify], value: .stored([UInt8](repeating: 0x55, count: 20)))
                    ])
            ]))
    let radio = try await radio(on: air)
    let link = try await radio.connect(to: try await radio.find(ScanOptions(services: [service])).peer)
    let characteristic = try await link.characteristic(value)
    if arguments[2] == "reads" {
        let before = processorTime()
        for _ in 0..<times { _ = try await link.read(characteristic) }
        report(processorTime() - before)
    } else {
        let values = try await link.notifications(of: characteristic)
        let client = try await subscriber(server)
        let handle = await characteristicHandle(server)
        let sending = Task(executorPreference: air.air.loop) {
            let octets = [UInt8](repeating: 0xAA, count: 20)
            for _ in 0..<times { try await server.notify(octets, of: handle, to: client) }
        }
        let before = processorTime()
        for try await _ in values.prefix(times) {}
        report(processorTime() - before)
        try await sending.value
    }
    await radio.close()
}

/// The radio that is measured.
func radio(on air: TestAir) async throws -> Radio {
    let host = try await air.radio("C0:00:00:00:00:02")
    guard arguments[1] == "corebluetooth" else { return host }
    return try await VirtualPhone(radio: host).app().launch {
        Task(executorPreference: air.air.loop) { try await Radio.coreBluetooth() }
    }.value
}

/// Who subscribes.
func subscriber(_ server: Server) async throws -> Server.Client {
    for try await event in server.events() {
        if case .subscribed(let client, _, _) = event { return client }
    }
    stop("nobody has subscribed")
}

func characteristicHandle(_ server: Server) async -> AttributeHandle {
    guard let handle = await server.valueHandle(of: value) else { stop("there is no value") }
    return handle
}

/// The processor's time that this process has taken.
func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func report(_ duration: Duration) { print("{\"ns\": \(duration / .nanoseconds(1) / Double(times))}") }

func stop(_ why: String) -> Never {
    FileHandle.standardError.write(Data("bench-layers: \(why)\n".utf8))
    exit(64)
}
