// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What a command is for: its answer goes there, and nowhere else.
///
/// The numbers tell apart what was asked for one after the other, so that the answer to an older command does not
/// end something newer.
enum Purpose: Sendable {
    /// A step of start-up, one at a time.
    case startup(HCI.Opcode)
    case scan(Scanner.Step, run: UInt32)
    case advertise(Advertiser.Step, run: UInt32)
    case connect(Initiator.Step, attempt: UInt32)
    case procedure(LinkID, LinkProcedure.ID)
    case disconnect(LinkID)
    /// A change of timing that the peer has asked for.
    case timing(LinkID)
    /// An answer to the peer's link layer; nobody waits for what the controller says to it.
    case timingAnswer
    /// Encryption that the controller has not begun yet.
    case encryption(LinkID)
    /// A key for the controller, or that there is none; nobody waits for what it says to that.
    case key
    /// What the controller is told while nothing is on the air.
    case pause(AirPause.Step)
    /// The choice of channels for all links.
    case channels
}
