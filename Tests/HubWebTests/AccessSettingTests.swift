// SPDX-License-Identifier: Apache-2.0

import CompanionStore
import HubWeb
import Testing

@Suite struct AccessSettingTests {
    /// The store always has room for the setting of that name.
    @Test func theStoreKnowsWhereItIsKeptWhoMayUseTheHub() {
        #expect(AccessControl.setting == DetectionDatabase.accessSetting)
    }
}
