// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire

extension HostStack {
    /// From which octet on a client wants the value that the application is asked for; it answers with the whole all the same.
    package func wantedOffset(on id: LinkID) -> Int { links.with(id)?.server.wantedOffset ?? 0 }

    /// What a client writes together with the value that the application was given, after it.
    package func followingWrites(on id: LinkID) -> [GATT.ValueWrite] {
        links.with(id)?.server.followingWrites ?? []
    }
}
