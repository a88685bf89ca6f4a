// SPDX-License-Identifier: Apache-2.0

import BLEHost
import FlockFinder

extension LinkCheck {
    static func flockFinder() {
        // Each client has its own ClientCore.
        var client = FlockFinderClient(options: FlockFinderClient.Options())
        use(client: &client)
        var host = DeviceHost(FlockFinderDevice())
        use(host: &host)
    }
}
