// SPDX-License-Identifier: Apache-2.0
// A map with many sources in view: where marks would lie on each other the first has its mark, the others are dots.
import { calm } from "../marks.js";

/// Of a mark, in pixels.
const room = 26;

/// Features in the order in which they want their marks, those that have no room as {…, isSmall}. `point` says where
/// one stands; `isFirst` ones have their marks whatever lies there.
export function calmed(features, point, isFirst) {
    if (features.filter(({ kind }) => kind === "pin").length <= calm.above) return features;
    const cells = new Map(), cell = (x, y) => `${Math.floor(x / room)} ${Math.floor(y / room)}`;
    return features.map((one) => {
        const { x, y } = point(one);
        const around = [-room, 0, room].flatMap((dx) =>
            [-room, 0, room].flatMap((dy) => cells.get(cell(x + dx, y + dy)) ?? [])
        );
        const isTaken = around.some((mark) => Math.abs(mark.x - x) < room && Math.abs(mark.y - y) < room);
        if (one.kind === "pin" && isTaken && !isFirst(one)) return { ...one, isSmall: true };
        const key = cell(x, y);
        cells.set(key, [...cells.get(key) ?? [], { x, y }]);
        return one;
    });
}
