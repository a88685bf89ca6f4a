// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings these along.
@_exported public import CoreLocation
@_exported public import Foundation
@_exported public import SwiftUI
