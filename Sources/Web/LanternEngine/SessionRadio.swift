// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion

/// Whatever the engine's client sessions run on: its own air, or the Bluetooth of a browser.
///
/// What `ClientRunner` does with tasks on a radio it does in turns: each turn carries what sessions ask for and what
/// happens until nothing moves.
protocol SessionRadio: AnyObject {
    /// What is told to the owner: each report that is heard.
    var heard: (AdvertisementReport, HostInstant) -> Void { get set }
    /// Asks the owner for the device of an address as it was heard, for sessions that look for theirs.
    var seen: (Peer) -> SeenDevice? { get set }
    /// Whether it can do anything yet.
    var isReady: Bool { get }
    /// Links that are open or wanted.
    var linkCount: Int { get }
    /// When to call ``advance(to:)`` at the latest.
    var nextDeadline: HostInstant? { get }

    /// Runs a session from now on, until it has finished.
    func run(_ session: any RunningSession, at now: HostInstant)

    /// Meets what is due; not later than ``nextDeadline``, so that nothing is passed over.
    func advance(to now: HostInstant)

    /// Carries everything where it belongs until nothing moves; to be called when a session was given a command.
    func turn(at now: HostInstant)
}
