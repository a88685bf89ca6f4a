// Colours as numbers and words: "#RRGGBB" as text, {hue, saturation, level} to work with.

const two = (value) => Math.round(value).toString(16).toUpperCase().padStart(2, "0");
const within = (value, low, high) => Math.min(high, Math.max(low, value));

/// "#RRGGBB" of three octets.
export const colourText = ([red, green, blue]) => `#${two(red)}${two(green)}${two(blue)}`;

/// Three octets of "#RRGGBB"; null for what is no colour.
export function octetsOf(text) {
    const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? "");
    return found ? found.slice(1).map((pair) => parseInt(pair, 16)) : null;
}

/// Hue in degrees (red is 0, green 120), saturation and level 0 to 1, of "#RRGGBB".
///
/// Black has no hue and no saturation, and a grey no hue: those of `before` are kept.
export function partsOf(text, before = { hue: 0, saturation: 0 }) {
    const [red, green, blue] = octetsOf(text) ?? [255, 255, 255];
    const most = Math.max(red, green, blue), span = most - Math.min(red, green, blue);
    if (!most) return { hue: before.hue, saturation: before.saturation, level: 0 };
    let hue = before.hue;
    if (span && most === red) hue = 60 * ((green - blue) / span);
    else if (span && most === green) hue = 60 * ((blue - red) / span + 2);
    else if (span) hue = 60 * ((red - green) / span + 4);
    return { hue: (hue + 360) % 360, saturation: span / most, level: most / 255 };
}

/// "#RRGGBB" of hue, saturation and level.
export function textOf({ hue, saturation, level }) {
    const part = (offset) => {
        const place = (offset + hue / 60) % 6;
        return 255 * level * (1 - saturation * within(Math.min(place, 4 - place), 0, 1));
    };
    return colourText([part(5), part(3), part(1)]);
}

const hues = [
    [12, "Red"],
    [40, "Orange"],
    [68, "Yellow"],
    [95, "Lime"],
    [150, "Green"],
    [172, "Mint"],
    [195, "Cyan"],
    [222, "Sky blue"],
    [244, "Blue"],
    [280, "Violet"],
    [312, "Magenta"],
    [344, "Pink"],
    [360, "Red"],
];

/// A word for what an eye sees, whatever its brightness: "Violet", "Warm white"; "Black" when it is dark.
export function colourName(text) {
    const { hue, saturation, level } = partsOf(text);
    if (level < 0.02) return "Black";
    if (saturation < 0.06) return "White";
    if (saturation < 0.4 && hue >= 15 && hue < 65) return "Warm white";
    if (saturation < 0.2) return hue > 150 && hue < 280 ? "Cool white" : "White";
    const word = hues.find(([end]) => hue < end)[1];
    return saturation < 0.45 ? `Light ${word.toLowerCase()}` : word;
}

/// Whether dark or light letters are read better on a colour: "#1B1205" or "#FFFFFF".
export function lettersOn(text) {
    const [red, green, blue] = (octetsOf(text) ?? [0, 0, 0]).map((octet) => {
        const part = octet / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#1B1205" : "#FFFFFF";
}
