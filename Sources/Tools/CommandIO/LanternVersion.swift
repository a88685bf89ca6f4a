// SPDX-License-Identifier: Apache-2.0

/// The version of Lantern, as `lantern --version`, the hub and exported files name it.
package enum LanternVersion {
    /// The version.
    package static let text = "0.1.0"
}
