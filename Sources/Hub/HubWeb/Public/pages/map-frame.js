// SPDX-License-Identifier: Apache-2.0
// What stays at the edges while the map moves: the labels of the graticule and the scale.
import { h, say } from "../dom.js";
import { graticuleOf } from "./map-canvas.js";

/// Draws the frame of a map page anew.
export function drawFrame(page) {
    const { map } = page.view, size = map.getSize();
    const { words, pixels } = page.view.scale(page.hub.state.settings.units);
    say(page.scale.firstChild, words);
    page.scale.lastChild.style.width = `${pixels}px`;
    const hasTiles = page.stage.classList.contains("has-tiles");
    page.labels.hidden = hasTiles;
    if (hasTiles) return;
    const corner = map.containerPointToLayerPoint([0, 0]);
    const { lats, lngs } = graticuleOf(map, corner, corner.add(size));
    const { left: from, top } = page.insets();
    const { offsetTop: noteTop, offsetHeight: noteHeight } = page.note;
    const isUnderNote = (y) => y > noteTop && y - 16 < noteTop + noteHeight;
    const labels = [
        ...lats.map(({ at, words }) => {
            const { y } = map.latLngToContainerPoint([at, map.getCenter().lng]);
            // Up there are the filters of a phone, down there the scale and the labels of the other lines.
            return y > top + 16 && y < size.y - (page.isSmall ? 62 : 24) && !isUnderNote(y)
                ? [words, from + 12, y - 16]
                : null;
        }),
        ...lngs.map(({ at, words }) => {
            const { x } = map.latLngToContainerPoint([map.getCenter().lat, at]);
            // At the edges are the scale and the buttons.
            return x > from + (page.isSmall ? 120 : 4) && x < size.x - 68
                ? [words, x + 6, size.y - 20]
                : null;
        }),
    ].filter(Boolean);
    while (page.labels.children.length > labels.length) page.labels.lastChild.remove();
    labels.forEach(([words, x, y], index) => {
        const label = page.labels.children[index] ?? page.labels.appendChild(h("span"));
        say(label, words);
        label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    });
}
