// SPDX-License-Identifier: Apache-2.0

import SwiftUI

extension View {
    /// Tells a person what could not be done, until it was read.
    func alert(on trouble: Binding<String?>) -> some View {
        alert(
            "That did not work",
            isPresented: Binding(
                get: { trouble.wrappedValue != nil }, set: { if !$0 { trouble.wrappedValue = nil } })
        ) {
            Button("OK", role: .cancel) {}
        } message: {
            Text(trouble.wrappedValue ?? "")
        }
    }
}
