// SPDX-License-Identifier: Apache-2.0

// As much of SwiftUI's interface as the app uses, in our own words and with our own behaviour: a view is
// evaluated to a tree of what a person could read, hear and press. Nothing is drawn.

@_exported public import Foundation
@_exported public import Observation
