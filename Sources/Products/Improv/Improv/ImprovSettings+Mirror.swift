// SPDX-License-Identifier: Apache-2.0

// Mirrors exist on hosts only.
#if !hasFeature(Embedded)

import BLEWire

extension ImprovSettings: CustomReflectable {
    /// Only the network's name, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["ssid": ssid.string]) }
}

#endif
