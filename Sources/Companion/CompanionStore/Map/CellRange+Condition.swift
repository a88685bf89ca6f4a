// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

extension CellRange {
    /// The rows of the table `cell`: each row of squares by itself, so that only those between two columns are read.
    var condition: SQL {
        let columns = xs.map { SQL("x BETWEEN \($0.lowerBound) AND \($0.upperBound)") }
        return "level = \(level) AND y IN \(Array(ys)) AND (\(columns.joined(separator: " OR ")))"
    }
}
