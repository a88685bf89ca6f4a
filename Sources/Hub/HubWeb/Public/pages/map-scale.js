// SPDX-License-Identifier: Apache-2.0
// The scale of a map.

/// A length that is 1, 2 or 5 of a power of ten and not wider than `most` pixels: {pixels, words}; a metre takes `metre`
/// pixels.
export function scaleOf(metre, units, most) {
    const foot = metre * 0.3048, mile = metre * 1609.344;
    const [pixel, unit] = units === "imperial"
        ? (mile <= most ? [mile, "mi"] : [foot, "ft"])
        : (metre * 1000 <= most ? [metre * 1000, "km"] : [metre, "m"]);
    const power = 10 ** Math.floor(Math.log10(most / pixel));
    const length = [5, 2, 1].map((one) => one * power).find((one) => one * pixel <= most) ?? power;
    return { pixels: length * pixel, words: `${length >= 1 ? length : length.toPrecision(1)} ${unit}` };
}
