// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a stream tells its delegate on the run loops on which it is scheduled.
///
/// A timer in each run loop stands for the source that Foundation has to itself: it is far in the future and is brought forward when
/// there is something to tell. It keeps the run loop running, as a source does; only `run(mode:before:)` does not return for it.
/// The lock guards what the app's threads and the channel's tasks both see.
final class StreamEvents: @unchecked Sendable {
    private struct Place {
        let runLoop: RunLoop
        var modes: [RunLoop.Mode]
        let timer: Timer
    }

    /// Has something done soon, somewhere.
    typealias Performing = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

    private let lock = NSLock()
    private weak var stream: Stream?
    private weak var listener: (any StreamDelegate)?
    private var places: [Place] = []
    private var perform: Performing?
    private var waiting: [Stream.Event] = []
    private var hasEnded = false
    private var stage = Stream.Status.notOpen

    /// Whether the app has opened or closed the stream.
    var status: Stream.Status { lock.withLock { stage } }

    var delegate: (any StreamDelegate)? {
        get { lock.withLock { listener } }
        set { lock.withLock { listener = newValue } }
    }

    /// Tells of a stream from now on.
    func begin(_ stream: Stream) { lock.withLock { self.stream = stream } }

    deinit { for place in places { place.timer.invalidate() } }

    /// The app opens the stream.
    ///
    /// - Returns: Whether it was not open before.
    func open() -> Bool {
        let isFirst = lock.withLock {
            guard stage == .notOpen else { return false }
            stage = .open
            return true
        }
        if isFirst { tell(.openCompleted) }
        return isFirst
    }

    /// Has the delegate told soon; the end once only.
    func tell(_ event: Stream.Event) {
        lock.withLock {
            if event == .endEncountered {
                guard !hasEnded else { return }
                hasEnded = true
            }
            if !waiting.contains(event) { waiting.append(event) }
            for place in places { place.timer.fireDate = Date() }
            perform? { [weak self] in self?.fire() }
        }
    }

    /// Has the delegate told by other means than run loops.
    func tell(by perform: @escaping Performing) {
        lock.withLock {
            self.perform = perform
            if !waiting.isEmpty { perform { [weak self] in self?.fire() } }
        }
    }

    func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
        lock.withLock {
            if let index = places.firstIndex(where: { $0.runLoop === runLoop }) {
                guard !places[index].modes.contains(mode) else { return }
                places[index].modes.append(mode)
                runLoop.add(places[index].timer, forMode: mode)
            } else {
                add(runLoop, [mode])
            }
        }
    }

    private func add(_ runLoop: RunLoop, _ modes: [RunLoop.Mode]) {
        let first = waiting.isEmpty ? Date.distantFuture : Date()
        let timer = Timer(fire: first, interval: 1e9, repeats: true) { [weak self] _ in self?.fire() }
        for mode in modes { runLoop.add(timer, forMode: mode) }
        places.append(Place(runLoop: runLoop, modes: modes, timer: timer))
    }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
        lock.withLock {
            guard let index = places.firstIndex(where: { $0.runLoop === runLoop && $0.modes.contains(mode) })
            else { return }
            let place = places.remove(at: index)
            // A timer cannot leave one mode only.
            place.timer.invalidate()
            let others = place.modes.filter { $0 != mode }
            if !others.isEmpty { add(runLoop, others) }
        }
    }

    /// The app closes the stream: what the delegate was to be told is forgotten.
    func close() {
        lock.withLock {
            stage = .closed
            waiting = []
            hasEnded = true
            for place in places { place.timer.invalidate() }
            (places, perform) = ([], nil)
        }
    }

    private func fire() {
        while true {
            let next = lock.withLock { () -> (Stream, (any StreamDelegate)?, Stream.Event)? in
                guard let stream, !waiting.isEmpty else { return nil }
                return (stream, listener, waiting.removeFirst())
            }
            guard let (stream, delegate, event) = next else { return }
            // What was to be told may have been done meanwhile.
            if event == .hasBytesAvailable, (stream as? InputStream)?.hasBytesAvailable == false { continue }
            if event == .hasSpaceAvailable, (stream as? OutputStream)?.hasSpaceAvailable == false { continue }
            delegate?.stream(stream, handle: event)
        }
    }
}
