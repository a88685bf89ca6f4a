// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

/// Records in order, read one by one while a query is running.
public final class StoredRecords {
    private let query: DetectionQuery
    private let path: String
    private var source: (database: Database, rows: RowCursor)?

    init(_ database: Database, _ query: DetectionQuery, path: String) throws {
        self.query = query
        self.path = path
        source = (database, try SQLRequest<Row>(literal: query.rows).fetchCursor(database))
    }

    /// How many records there are.
    ///
    /// - Returns: The number of all, whether read or not.
    /// - Throws: ``StoreError``.
    public func count() throws(StoreError) -> Int {
        guard let source else { throw StoreError.closed }
        return try StoreError.catching(path: path) {
            try SQLRequest<Int>(literal: query.count).fetchOne(source.database) ?? 0
        }
    }

    /// Reads the next record.
    ///
    /// - Returns: The record, or nothing at the end.
    /// - Throws: ``StoreError``.
    public func next() throws(StoreError) -> DetectionRecord? {
        guard let source else { throw StoreError.closed }
        return try StoreError.catching(path: path) { try source.rows.next().map(DetectionRow.record) }
    }

    /// Lets go of the query, which must not outlive the view it reads from.
    func end() { source = nil }
}
