// SPDX-License-Identifier: Apache-2.0

import BLEATT

/// How much a device on a chip keeps at most: what a central sends beyond it is refused or ends its own link.
public struct DeviceLimits: Hashable, Sendable {
    /// The longest ATT PDU, in octets: 23 to 517.
    public var maximumMTU: Int
    /// Links at the same time, at least one.
    public var links: Int
    /// Octets of a link's prepared writes, with six for each part.
    public var preparedOctets: Int
    /// Octets of a link that wait for the controller before the session has to wait with its values.
    public var waitingOctets: Int

    /// Makes limits.
    public init(
        maximumMTU: Int = 247, links: Int = 2, preparedOctets: Int = 640, waitingOctets: Int = 1004
    ) {
        self.maximumMTU = min(max(maximumMTU, ATT.defaultMTU), 517)
        self.links = max(links, 1)
        self.preparedOctets = max(preparedOctets, 0)
        self.waitingOctets = max(waitingOctets, 0)
    }

    /// Octets that all links together make a device keep, whatever their centrals do.
    ///
    /// A link has a frame that comes in parts, prepared writes, what waits for the controller and indications that wait for
    /// the client: of the last two up to one more than ``waitingOctets``.
    public var octets: Int { links * (frame + preparedOctets + 2 * (waitingOctets + frame)) }

    /// An ATT PDU with its L2CAP header.
    var frame: Int { maximumMTU + 4 }
}
