// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What is wanted of scanning, and what the controller was told.
///
/// ```
///          start               rest
///   off ─────────▶ scanning ◀───────▶ resting
///    ▲                │      resume      │
///    └────────────────┴──────────────────┘ stop, or a refusal of this run
/// ```
///
/// Each time that the controller is told to scan is a run; what it answers to an older run ends nothing.
struct Scanner: ~Copyable {
    enum Command: Equatable {
        case clearList
        case addToList(BluetoothAddress)
        case configure(ScanParameters)
        case enable(filterDuplicates: Bool)
        case disable
    }

    /// What a command was: each of them but the last may end the run when it is refused.
    enum Step: Equatable {
        /// What comes before scanning is switched on.
        case prepare
        case enable
        case disable
    }

    enum Output: Equatable {
        case command(Command, Step, run: UInt32)
        /// The controller refuses to scan; nothing is wanted any more.
        case failed(HCI.Status)
    }

    enum State: Equatable {
        case off
        /// Wanted, but a link is being opened.
        case resting(ScanParameters)
        case scanning(ScanParameters, run: UInt32)
    }

    private(set) var state = State.off
    private(set) var lastRun: UInt32 = 0
    private var assembler = AdvertisementAssembler()
    private var outputs = FIFO<Output>()

    mutating func nextOutput() -> Output? { outputs.popFirst() }

    var nextDeadline: HostInstant? { assembler.nextDeadline }

    /// Whether advertisements are wanted.
    var isWanted: Bool {
        if case .off = state { return false }
        return true
    }

    /// Scans so from now on; `isHeld` while a link is being opened.
    mutating func start(_ parameters: ScanParameters, isHeld: Bool) {
        rest()
        state = .resting(parameters)
        if !isHeld { resume() }
    }

    mutating func stop() {
        rest()
        state = .off
    }

    /// Lets the scan rest, because many controllers cannot scan while they open a link.
    mutating func rest() {
        assembler.removeAll()
        guard case .scanning(let parameters, let run) = state else { return }
        state = .resting(parameters)
        outputs.append(.command(.disable, .disable, run: run))
    }

    mutating func resume() {
        guard case .resting(let parameters) = state else { return }
        lastRun &+= 1
        state = .scanning(parameters, run: lastRun)
        if !parameters.addresses.isEmpty {
            outputs.append(.command(.clearList, .prepare, run: lastRun))
            for address in parameters.addresses {
                outputs.append(.command(.addToList(address), .prepare, run: lastRun))
            }
        }
        outputs.append(.command(.configure(parameters), .prepare, run: lastRun))
        outputs.append(
            .command(.enable(filterDuplicates: parameters.filterDuplicates), .enable, run: lastRun))
    }

    /// Takes the answer to a command.
    mutating func completed(_ step: Step, run: UInt32, _ status: HCI.Status) {
        // Switching off what is off already is no failure.
        guard status != .success, step != .disable else { return }
        guard case .scanning(_, run) = state else { return }
        // What was refused must not be scanned with, in case the next command was accepted.
        if step == .prepare { rest() }
        assembler.removeAll()
        state = .off
        outputs.append(.failed(status))
    }

    /// Takes a report that may be a part.
    ///
    /// - Returns: The advertisement that it makes whole, or that has to go to make room for it.
    mutating func receive(
        _ report: HCI.ExtendedAdvertisingReport, at now: HostInstant
    ) -> ReceivedAdvertisement? { assembler.receive(report, at: now) }

    /// Gives up the rest of an advertisement; call again until `nil` comes.
    mutating func expire(at now: HostInstant) -> ReceivedAdvertisement? { assembler.expire(at: now) }
}
