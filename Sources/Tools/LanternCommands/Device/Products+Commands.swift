// SPDX-License-Identifier: Apache-2.0

import CommandOptions
import ProductRegistry

extension Products {
    /// All products with what the command line has of them.
    static let withCommands: [any CommandProduct] = all.map { product in
        guard let product = product as? any CommandProduct else {
            preconditionFailure("\(product.name) has no commands")
        }
        return product
    }
}
