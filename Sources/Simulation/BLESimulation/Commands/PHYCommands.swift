// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Checks what a host says about one direction.
private func check(_ phys: HCI.PHYs?) throws(HCI.Status) {
    guard let phys else { return }
    guard !phys.isEmpty else { throw .invalidHCICommandParameters }
    guard HCI.PHYs.all.isSuperset(of: phys) else { throw .unsupportedFeatureOrParameterValue }
}

extension HCI.LEReadPHY: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let phys = side.phys
        return ReturnParameters(handle: handle, txPHY: phys.tx, rxPHY: phys.rx)
    }
}

extension HCI.LESetDefaultPHY: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try check(tx)
        try check(rx)
        controller.state.defaultPHYs = (tx, rx)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetPHY: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try check(tx)
        try check(rx)
        guard !side.awaitsPHYs, side.link.phyUpdate == nil else { throw .commandDisallowed }
        let preferred = PreferredPHYs(tx, rx)
        try side.request(.phyRequest(preferred), in: air)
        side.preferredPHYs = preferred
        side.awaitsPHYs = true
        return HCI.StatusOnly()
    }
}
