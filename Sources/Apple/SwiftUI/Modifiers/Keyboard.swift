// SPDX-License-Identifier: Apache-2.0

/// Which keys the keyboard has; UIKit's, which comes with Apple's SwiftUI.
public enum UIKeyboardType: Int, Sendable {
    /// As usual.
    case `default`
    /// Letters without accents.
    case asciiCapable
    /// Digits and signs.
    case numbersAndPunctuation
    /// For addresses of pages.
    case URL
    /// Digits.
    case numberPad
    /// For telephone numbers.
    case phonePad
    /// For names and telephone numbers.
    case namePhonePad
    /// For addresses of mail.
    case emailAddress
    /// Digits and a point.
    case decimalPad
}

/// When the keyboard writes capitals.
public struct TextInputAutocapitalization: Sendable {
    /// Never.
    public static var never: TextInputAutocapitalization { .init() }
    /// At the beginning of words.
    public static var words: TextInputAutocapitalization { .init() }
    /// At the beginning of sentences.
    public static var sentences: TextInputAutocapitalization { .init() }
    /// Always.
    public static var characters: TextInputAutocapitalization { .init() }
}

/// What the return key is called.
public struct SubmitLabel: Sendable {
    /// Done.
    public static var done: SubmitLabel { .init() }
    /// Go.
    public static var go: SubmitLabel { .init() }
    /// Join.
    public static var join: SubmitLabel { .init() }
    /// Next.
    public static var next: SubmitLabel { .init() }
    /// Return.
    public static var `return`: SubmitLabel { .init() }
    /// Search.
    public static var search: SubmitLabel { .init() }
    /// Send.
    public static var send: SubmitLabel { .init() }
}

extension View {
    /// Sets which keys the keyboard has.
    nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { self }
    /// Sets when the keyboard writes capitals.
    nonisolated public func textInputAutocapitalization(
        _ autocapitalization: TextInputAutocapitalization?
    ) -> some View { self }
    /// Sets what the return key is called.
    nonisolated public func submitLabel(_ submitLabel: SubmitLabel) -> some View { self }
}
