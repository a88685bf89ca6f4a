// SPDX-License-Identifier: Apache-2.0

/// A line of text to be written.
public struct TextField<Label> where Label: View {
    let read: (EnvironmentValues) -> String
    let write: (String, EnvironmentValues) -> Void
    let prompt: Text?
    let label: Label

    nonisolated private init(_ text: Binding<String>, _ prompt: Text?, _ label: Label) {
        read = { _ in text.wrappedValue }
        write = { written, _ in text.wrappedValue = written }
        self.prompt = prompt
        self.label = label
    }

    nonisolated private init<F>(_ value: Binding<F.FormatInput>, _ format: F, _ prompt: Text?, _ label: Label)
    where F: ParseableFormatStyle, F.FormatOutput == String {
        read = { format.locale($0.locale).format(value.wrappedValue) }
        write = { written, values in
            // What cannot be read leaves the value as it is, as on a phone.
            if let new = try? format.locale(values.locale).parseStrategy.parse(written) {
                value.wrappedValue = new
            }
        }
        self.prompt = prompt
        self.label = label
    }

    nonisolated private init<F>(
        optional value: Binding<F.FormatInput?>, _ format: F, _ prompt: Text?, _ label: Label
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        read = { values in value.wrappedValue.map { format.locale(values.locale).format($0) } ?? "" }
        write = { written, values in
            value.wrappedValue = try? format.locale(values.locale).parseStrategy.parse(written)
        }
        self.prompt = prompt
        self.label = label
    }
}

extension TextField: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension TextField: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.textField, "", place.inside("label").nodes(of: label))
        let values = place.environment
        let text = read(values)
        node.value = text.isEmpty ? prompt?.written(in: place) ?? "" : text
        node.enter = { write($0, values) }
        node.submit = values.submitAction(.text)
        node.isEnabled = values.isEnabled
        return [node]
    }
}

extension EnvironmentValues {
    /// What is done when a field is left by its return key.
    func submitAction(_ trigger: SubmitTriggers) -> () -> Void {
        let actions = submit.filter { $0.0.contains(trigger) }.map(\.1)
        return { for action in actions { action() } }
    }
}

extension TextField {
    /// A field with a label and a prompt.
    nonisolated public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(text, prompt, label())
    }

    /// A field with a label that may have several lines.
    nonisolated public init(
        text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label
    ) {
        self.init(text, prompt, label())
    }

    /// A field for a value, with a label.
    nonisolated public init<F>(
        value: Binding<F.FormatInput>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(value, format, prompt, label())
    }
}

extension TextField where Label == Text {
    /// A field with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text, nil, Text(titleKey))
    }

    /// A field with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>)
    where S: StringProtocol {
        self.init(text, nil, Text(title))
    }

    /// A field with a title of the catalogue and a prompt.
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text, prompt, Text(titleKey))
    }

    /// A field with a title and a prompt.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>, prompt: Text?)
    where S: StringProtocol {
        self.init(text, prompt, Text(title))
    }

    /// A field with a title of the catalogue that may have several lines.
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        self.init(text, nil, Text(titleKey))
    }

    /// A field with a title of the catalogue and a prompt that may have several lines.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?, axis: Axis
    ) {
        self.init(text, prompt, Text(titleKey))
    }

    /// A field with a title that may have several lines.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>, axis: Axis)
    where S: StringProtocol {
        self.init(text, nil, Text(title))
    }

    /// A field for a value, with a title of the catalogue.
    nonisolated public init<F>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(value, format, prompt, Text(titleKey))
    }

    /// A field for a value, with a title.
    @_disfavoredOverload nonisolated public init<S, F>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where S: StringProtocol, F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(value, format, prompt, Text(title))
    }

    /// A field for a value that may be absent, with a title of the catalogue.
    nonisolated public init<F>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(optional: value, format, prompt, Text(titleKey))
    }

    /// A field for a value that may be absent, with a title.
    @_disfavoredOverload nonisolated public init<S, F>(
        _ title: S, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where S: StringProtocol, F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(optional: value, format, prompt, Text(title))
    }
}

/// A line of text to be written that nobody may read.
public struct SecureField<Label> where Label: View {
    let text: Binding<String>
    let prompt: Text?
    let label: Label

    /// A field with a label.
    nonisolated public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.prompt = prompt
        self.label = label()
    }
}

extension SecureField: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension SecureField: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.secureField, "", place.inside("label").nodes(of: label))
        let text = text
        let count = text.wrappedValue.count
        node.value = count == 0 ? prompt?.written(in: place) ?? "" : String(repeating: "•", count: count)
        node.enter = { text.wrappedValue = $0 }
        node.submit = place.environment.submitAction(.text)
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension SecureField where Label == Text {
    /// A field with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text) { Text(titleKey) }
    }

    /// A field with a title of the catalogue and a prompt.
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text, prompt: prompt) { Text(titleKey) }
    }

    /// A field with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>)
    where S: StringProtocol {
        self.init(text: text) { Text(title) }
    }

    /// A field with a title and a prompt.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>, prompt: Text?)
    where S: StringProtocol {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
}
