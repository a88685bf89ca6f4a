// SPDX-License-Identifier: Apache-2.0
// The engine comes in two parts: what the first page needs, and the rest, which is brought when something in it is called.

/// Instantiates the first part.
///
/// `bringRest` gives the octets of the second at once: what calls it is in the middle of its work and cannot wait.
export async function instantiate(first, env, bringRest) {
    let isWhole = false;
    // What stands in the table for a function of the second part, until that puts all of its own there.
    const placeholder = new Proxy({}, {
        get: (_, index) => (...values) => {
            if (!isWhole) {
                new WebAssembly.Instance(new WebAssembly.Module(bringRest()), {
                    primary: exports,
                    env,
                    placeholder,
                });
                isWhole = true;
            }
            return table.get(Number(index))(...values);
        },
    });
    const { instance } = await WebAssembly.instantiate(first, { env, placeholder });
    const { exports } = instance;
    const table = Object.values(exports).find((value) => value instanceof WebAssembly.Table);
    return exports;
}
