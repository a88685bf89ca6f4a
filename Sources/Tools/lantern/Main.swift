// SPDX-License-Identifier: Apache-2.0

import LanternCommands

/// The `lantern` command; everything it does is in LanternCommands.
@main
struct Main {
    static func main() async { await LanternProcess.main() }
}
