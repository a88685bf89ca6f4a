// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import VirtualPhone

extension Surroundings {
    /// A question of the system that is on the screen, whether an app may do something.
    public final class Prompt: Sendable {
        /// What an app wants.
        public enum Subject: Hashable, Sendable {
            /// To know where the phone is.
            case location
            /// To know that in the background, too, which a person who has allowed the first may allow.
            case locationAlways
            /// To know it exactly for a while, as the app says for what.
            case preciseLocation
            /// To know how the phone is moved.
            case motion
            /// To show notifications.
            case notifications
        }

        /// What a person presses.
        public enum Answer: Hashable, Sendable {
            /// Allow; for a location, while the app is used.
            case allow
            /// Allow once, until the app leaves the screen; where that is not offered, allow.
            case allowOnce
            /// Don't allow; of `locationAlways`, keep it as it is.
            case refuse
        }

        /// Which app asks.
        public let app: VirtualPhone.App
        /// What it wants.
        public let subject: Subject
        private let surroundings: Surroundings
        private let answered: Mutex<(@Sendable (Answer) -> Void)?>

        init(
            _ app: VirtualPhone.App, _ subject: Subject, _ surroundings: Surroundings,
            answered: @escaping @Sendable (Answer) -> Void
        ) {
            (self.app, self.subject, self.surroundings) = (app, subject, surroundings)
            self.answered = Mutex(answered)
        }

        /// Presses a button; the prompt is gone then, and a second answer is none.
        ///
        /// - Parameter answer: The button.
        public func answer(_ answer: Answer) {
            let tell = answered.withLock { answered in
                defer { answered = nil }
                return answered
            }
            guard let tell else { return }
            surroundings.close(self)
            tell(answer)
        }
    }
}
