// SPDX-License-Identifier: Apache-2.0

extension View {
    /// Shows buttons with a title, which go when one is pressed.
    nonisolated private func asking<A: View, M: View>(
        _ kind: Node.Kind, _ title: Text, _ isPresented: Binding<Bool>,
        _ actions: @escaping () -> A?, _ message: @escaping () -> M?
    ) -> some View {
        noted { place in
            guard isPresented.wrappedValue, let actions = actions() else { return }
            let dismiss = { isPresented.wrappedValue = false }
            place.present(kind, title.written(in: place), dismiss: dismiss) { inner in
                var buttons = inner.inside("actions").nodes(of: actions)
                let pressed = buttons.flatMap(\.all).filter { $0.kind == .button }
                // The system adds what is needed to leave.
                if pressed.isEmpty || kind == .dialog && !pressed.contains(where: { $0.role == .cancel }) {
                    let leave = Node(.button, kind == .dialog ? "Cancel" : "OK")
                    leave.role = kind == .dialog ? .cancel : nil
                    leave.press = {}
                    buttons.append(leave)
                }
                for button in buttons.flatMap(\.all) where button.kind == .button {
                    let press = button.press
                    button.press = {
                        dismiss()
                        press?()
                    }
                }
                return inner.inside("message").nodes(of: message()) + buttons
            }
        }
    }

    /// Shows an alert with a title of the catalogue.
    nonisolated public func alert<A>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        alert(Text(titleKey), isPresented: isPresented, actions: actions)
    }

    /// Shows an alert with a title.
    @_disfavoredOverload nonisolated public func alert<S, A>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where S: StringProtocol, A: View {
        alert(Text(title), isPresented: isPresented, actions: actions)
    }

    /// Shows an alert with a title.
    nonisolated public func alert<A>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        let actions = actions()
        return asking(.alert, title, isPresented, { actions }, { EmptyView() })
    }

    /// Shows an alert with a title of the catalogue and a message.
    nonisolated public func alert<A, M>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        alert(Text(titleKey), isPresented: isPresented, actions: actions, message: message)
    }

    /// Shows an alert with a title and a message.
    @_disfavoredOverload nonisolated public func alert<S, A, M>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        alert(Text(title), isPresented: isPresented, actions: actions, message: message)
    }

    /// Shows an alert with a title and a message.
    nonisolated public func alert<A, M>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        let (actions, message) = (actions(), message())
        return asking(.alert, title, isPresented, { actions }, { message })
    }

    /// Shows an alert about some data, with a title of the catalogue.
    nonisolated public func alert<A, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        let actions = data.map(actions)
        return asking(.alert, Text(titleKey), isPresented, { actions }, { EmptyView() })
    }

    /// Shows an alert about some data, with a title.
    @_disfavoredOverload nonisolated public func alert<S, A, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where S: StringProtocol, A: View {
        let actions = data.map(actions)
        return asking(.alert, Text(title), isPresented, { actions }, { EmptyView() })
    }

    /// Shows an alert about some data, with a title of the catalogue and a message.
    nonisolated public func alert<A, M, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        alert(
            Text(titleKey), isPresented: isPresented, presenting: data, actions: actions,
            message: message)
    }

    /// Shows an alert about some data, with a title and a message.
    @_disfavoredOverload nonisolated public func alert<S, A, M, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        alert(Text(title), isPresented: isPresented, presenting: data, actions: actions, message: message)
    }

    /// Shows an alert about some data, with a title and a message.
    nonisolated public func alert<A, M, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        let (actions, message) = (data.map(actions), data.map(message))
        return asking(.alert, title, isPresented, { actions }, { message })
    }

    /// Shows an alert about an error.
    nonisolated public func alert<E, A>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: () -> A
    ) -> some View where E: LocalizedError, A: View {
        let actions = actions()
        let title = Text(verbatim: error?.errorDescription ?? "")
        return asking(.alert, title, isPresented, { error == nil ? nil : actions }, { EmptyView() })
    }

    /// Shows an alert about an error, with a message.
    nonisolated public func alert<E, A, M>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: (E) -> A,
        @ViewBuilder message: (E) -> M
    ) -> some View where E: LocalizedError, A: View, M: View {
        let title = Text(verbatim: error?.errorDescription ?? "")
        let (actions, message) = (error.map(actions), error.map(message))
        return asking(.alert, title, isPresented, { actions }, { message })
    }

    /// Asks what is to be done, with a title of the catalogue.
    nonisolated public func confirmationDialog<A>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        let actions = actions()
        return asking(.dialog, Text(titleKey), isPresented, { actions }, { EmptyView() })
    }

    /// Asks what is to be done, with a title.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View where S: StringProtocol, A: View {
        let actions = actions()
        return asking(.dialog, Text(title), isPresented, { actions }, { EmptyView() })
    }

    /// Asks what is to be done, with a title of the catalogue and a message.
    nonisolated public func confirmationDialog<A, M>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        let (actions, message) = (actions(), message())
        return asking(.dialog, Text(titleKey), isPresented, { actions }, { message })
    }

    /// Asks what is to be done, with a title and a message.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A, M>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        let (actions, message) = (actions(), message())
        return asking(.dialog, Text(title), isPresented, { actions }, { message })
    }

    /// Asks what is to be done, with a title.
    nonisolated public func confirmationDialog<A>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        let actions = actions()
        return asking(.dialog, title, isPresented, { actions }, { EmptyView() })
    }

    /// Asks what is to be done, with a title and a message.
    nonisolated public func confirmationDialog<A, M>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        let (actions, message) = (actions(), message())
        return asking(.dialog, title, isPresented, { actions }, { message })
    }

    /// Asks what is to be done with some data, with a title of the catalogue.
    nonisolated public func confirmationDialog<A, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic, presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        let actions = data.map(actions)
        return asking(.dialog, Text(titleKey), isPresented, { actions }, { EmptyView() })
    }

    /// Asks what is to be done with some data, with a title of the catalogue and a message.
    nonisolated public func confirmationDialog<A, M, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        let (actions, message) = (data.map(actions), data.map(message))
        return asking(.dialog, Text(titleKey), isPresented, { actions }, { message })
    }
}
