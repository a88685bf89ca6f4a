// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import BluetoothLE
public import Companion
import CompanionDevices
public import FlockFinder
import Synchronization

/// A detector at a radio: takes what a scan hears, where octets arrive, and keeps what it notices until somebody fetches it.
public final class RadioDetector: Sendable {
    /// Detections that may wait to be fetched; what comes then is dropped.
    public static let capacity = 4096

    private struct State: ~Copyable {
        var detector: Detector
        var waiting: [Detection] = []

        init(_ detector: consuming Detector) { self.detector = detector }

        mutating func collect() {
            while let detection = detector.nextOutput() {
                if waiting.count < capacity { waiting.append(detection) }
            }
        }
    }

    private let state: Mutex<State>

    /// Makes a detector that has heard nothing.
    ///
    /// - Parameters:
    ///   - table: What is known of cameras and sensors.
    ///   - limits: How much of what there may be.
    public init(_ table: SignatureTable, limits: Detector.Limits = Detector.Limits()) {
        state = Mutex(State(Detector(table, limits: limits)))
    }

    /// Takes a report; one whose sender has no address is passed over.
    ///
    /// - Parameters:
    ///   - advertisement: The report.
    ///   - now: The moment.
    public func receive(_ advertisement: Advertisement, at now: HostInstant) {
        guard let address = advertisement.peer.address else { return }
        state.withLock { state in
            state.detector.receive(advertisement.data, from: address, rssi: advertisement.rssi, at: now)
            state.collect()
        }
    }

    /// Fetches what was noticed since the last time.
    ///
    /// - Parameters:
    ///   - now: The moment; `nil` waits for nothing more that sources may still say.
    ///   - time: The time by the wall clock.
    /// - Returns: The detections.
    public func detections(at now: HostInstant?, _ time: Timestamp) -> [TimedEvent] {
        state.withLock { state in
            if let now { state.detector.deadlineReached(at: now) } else { state.detector.finish() }
            state.collect()
            defer { state.waiting = [] }
            return state.waiting.map { TimedEvent(event: .detection($0), time: time) }
        }
    }
}

extension FlockFinderRecorder {
    /// How often what was noticed is fetched.
    private static let fetching = Duration.milliseconds(250)

    /// Notices cameras with a radio's own scan until the recorder is full, `untilEnd` returns or the task is cancelled.
    ///
    /// - Parameters:
    ///   - detector: Notices them.
    ///   - radio: The radio.
    ///   - recorder: Stores detections.
    /// - Returns: What was noticed.
    /// - Throws: ``BluetoothError`` when the radio does not listen, ``StoreError`` when something could not be stored, and
    ///   what `show` throws.
    public func run(
        _ detector: RadioDetector, on radio: Radio, recorder: FlockRecorder
    ) async throws -> FlockRecorder.Tally {
        let queue = EventQueue<TimedEvent>(capacity: Self.queueCapacity)
        let scan = Task(executorPreference: radio.executor) { [phys] in
            for try await advertisement in try await radio.scan(ScanOptions(phys: phys)) {
                detector.receive(advertisement, at: radio.now)
            }
        }
        let fetching = Task { [now] in
            while !Task.isCancelled {
                await Wait.for(Self.fetching, on: radio)
                for event in detector.detections(at: radio.now, now()) { await queue.append(event) }
            }
            for event in detector.detections(at: nil, now()) { await queue.append(event) }
            await queue.finish()
        }
        let diskWork = Task {
            do {
                return try await consume(queue, recorder) { scan.cancel() }
            } catch {
                await queue.abandon()
                scan.cancel()
                throw error
            }
        }
        let scanned = await withTaskGroup(of: Void.self) { [untilEnd] group in
            group.addTask { await untilEnd(radio) }
            group.addTask { _ = await scan.result }
            await group.next()
            group.cancelAll()
            scan.cancel()
            return await scan.result
        }
        fetching.cancel()
        await fetching.value
        let tally = try await diskWork.value
        // Ended by us, it says that it was cancelled.
        do { try scanned.get() } catch BluetoothError.cancelled {} catch is CancellationError {}
        return tally
    }
}
