// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import BluetoothLE

/// What a person can do at this computer while a device pairs.
package enum PairingCapability: EnumerableFlag {
    case keyboard
    case display
    case yesNo
    case keyboardDisplay
    case noInput

    package static func name(for value: PairingCapability) -> NameSpecification {
        switch value {
        case .keyboard: .customLong("keyboard")
        case .display: .customLong("display")
        case .yesNo: .customLong("yes-no")
        case .keyboardDisplay: .customLong("keyboard-display")
        case .noInput: .customLong("no-input")
        }
    }

    package static func help(for value: PairingCapability) -> ArgumentHelp? {
        switch value {
        case .keyboard: "Enter the six digits that the other device shows."
        case .display: "Show six digits, to be entered on the other device."
        case .yesNo: "Show six digits, and say whether the other device shows the same."
        case .keyboardDisplay: "Show, enter or compare six digits, whatever the other device can do."
        case .noInput: "Neither show nor ask: encrypted, but somebody may be in between."
        }
    }

    /// What the other side is told.
    package var ioCapability: SMP.IOCapability {
        switch self {
        case .keyboard: .keyboardOnly
        case .display: .displayOnly
        case .yesNo: .displayYesNo
        case .keyboardDisplay: .keyboardDisplay
        case .noInput: .noInputNoOutput
        }
    }

    /// What this side can do and wants; without a choice, whatever the device can.
    package static func configuration(_ capability: PairingCapability?, bonds: Bool) -> SMP.Configuration {
        var configuration = SMP.Configuration()
        configuration.ioCapability = capability?.ioCapability ?? .keyboardDisplay
        configuration.wantsAuthentication = capability != .noInput
        configuration.bonds = bonds
        return configuration
    }
}
