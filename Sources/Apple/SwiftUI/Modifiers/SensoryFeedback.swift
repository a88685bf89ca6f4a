// SPDX-License-Identifier: Apache-2.0

/// What a person feels or hears when something happens.
public struct SensoryFeedback: Equatable, Sendable {
    let name: String

    private init(_ name: String) { self.name = name }

    /// Something was done.
    public static let success = SensoryFeedback("success")
    /// Something should be looked at.
    public static let warning = SensoryFeedback("warning")
    /// Something has failed.
    public static let error = SensoryFeedback("error")
    /// Another thing is selected.
    public static let selection = SensoryFeedback("selection")
    /// Something has become more.
    public static let increase = SensoryFeedback("increase")
    /// Something has become less.
    public static let decrease = SensoryFeedback("decrease")
    /// Something begins.
    public static let start = SensoryFeedback("start")
    /// Something ends.
    public static let stop = SensoryFeedback("stop")
    /// Something that is dragged lies in a line.
    public static let alignment = SensoryFeedback("alignment")
    /// A finger presses harder.
    public static let levelChange = SensoryFeedback("levelChange")
    /// A drawn line is closed.
    public static let pathComplete = SensoryFeedback("pathComplete")
    /// Two things meet.
    public static let impact = SensoryFeedback("impact")

    /// Two things of a weight meet.
    public static func impact(
        weight: SensoryFeedback.Weight = .medium, intensity: Double = 1.0
    ) -> SensoryFeedback { SensoryFeedback("impact \(weight.name) \(intensity)") }

    /// Two things of a softness meet.
    public static func impact(
        flexibility: SensoryFeedback.Flexibility, intensity: Double = 1.0
    ) -> SensoryFeedback { SensoryFeedback("impact \(flexibility.name) \(intensity)") }

    /// How heavy things are.
    public struct Weight: Equatable, Sendable {
        let name: String
        /// Light.
        public static let light = Weight(name: "light")
        /// Neither.
        public static let medium = Weight(name: "medium")
        /// Heavy.
        public static let heavy = Weight(name: "heavy")
    }

    /// How soft things are.
    public struct Flexibility: Equatable, Sendable {
        let name: String
        /// Hard.
        public static let rigid = Flexibility(name: "rigid")
        /// Neither.
        public static let solid = Flexibility(name: "solid")
        /// Soft.
        public static let soft = Flexibility(name: "soft")
    }
}

extension View {
    /// Lets a person feel something when a value has changed.
    nonisolated public func sensoryFeedback<T>(_ feedback: SensoryFeedback, trigger: T) -> some View
    where T: Equatable {
        sensoryFeedback(trigger: trigger) { _, _ in feedback }
    }

    /// Lets a person feel something when a value has changed and a condition holds.
    nonisolated public func sensoryFeedback<T>(
        _ feedback: SensoryFeedback, trigger: T, condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool
    ) -> some View where T: Equatable {
        sensoryFeedback(trigger: trigger) { condition($0, $1) ? feedback : nil }
    }

    /// Lets a person feel what a function says when a value has changed.
    nonisolated public func sensoryFeedback<T>(
        trigger: T, _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?
    ) -> some View where T: Equatable {
        noted { place in
            let store = place.pass.store
            place.onChange(of: trigger, initial: false) { old, new in
                if let felt = feedback(old, new) { store.done.feedback.append(felt) }
            }
        }
    }

    /// Lets a person feel what a function says when a value has changed.
    nonisolated public func sensoryFeedback<T>(
        trigger: T, _ feedback: @escaping () -> SensoryFeedback?
    ) -> some View where T: Equatable {
        sensoryFeedback(trigger: trigger) { _, _ in feedback() }
    }
}
