// Octets as people read and type them: hexadecimal, text, numbers.

const bits = (name) => Number(name.replace(/\D/g, ""));

/// How a value can be typed: the word for it, an example, and why that is.
export const formats = {
    hex: { word: "Hex", example: "0A FF 01" },
    text: { word: "Text", example: "Any text, sent as UTF-8" },
    number: { word: "Number", example: "42" },
};

/// The formats of numbers, in the words of those who know them.
export const numbers = {
    u8: "8 bits",
    i8: "8 bits, signed",
    u16: "16 bits",
    i16: "16 bits, signed",
    u24: "24 bits",
    i24: "24 bits, signed",
    u32: "32 bits",
    i32: "32 bits, signed",
    u64: "64 bits",
    i64: "64 bits, signed",
    f32: "32 bits, floating point",
    f64: "64 bits, floating point",
};

/// "16 48 52 03", of hexadecimal digits.
export const spaced = (octets) => (octets ?? "").toUpperCase().match(/../g)?.join(" ") ?? "";
export const length = (octets) => (octets?.length ?? 0) / 2;
const written = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytesOf = (octets) => Uint8Array.from(octets.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/// Octets in hexadecimal of what was typed; throws an error whose message is for the person.
export function octetsOf(text, format, { kind = "u8", big = false } = {}) {
    if (format === "hex") return ofHex(text);
    if (format === "text") return written(new TextEncoder().encode(text));
    return ofNumber(text.trim().replace(/^\u2212/, "-"), kind, big);
}

function ofHex(text) {
    const digits = text.replace(/0x/gi, "").replace(/[\s:,-]/g, "");
    const wrong = digits.match(/[^0-9a-f]/i);
    if (wrong) throw new Error(`“${wrong[0]}” is not a hexadecimal digit. Those are 0 to 9 and A to F.`);
    if (digits.length % 2) throw new Error("The last octet has only one digit. Each needs two.");
    return digits.toLowerCase();
}

function ofNumber(text, kind, big) {
    const size = bits(kind), view = new DataView(new ArrayBuffer(size / 8));
    if (kind.startsWith("f")) {
        const value = Number(text);
        if (text === "" || Number.isNaN(value)) throw new Error("Type a number, such as 21.5.");
        if (kind === "f32" && Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
            throw new Error("This number is too large for 32 bits.");
        }
        if (size === 32) view.setFloat32(0, value, !big);
        else view.setFloat64(0, value, !big);
        return written(new Uint8Array(view.buffer));
    }
    if (!/^-?(\d+|0x[0-9a-f]+)$/i.test(text)) throw new Error("Type a whole number, such as 42 or 0x2A.");
    const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text), signed = kind.startsWith("i");
    const least = signed ? -(1n << BigInt(size - 1)) : 0n,
        most = (1n << BigInt(signed ? size - 1 : size)) - 1n;
    if (value < least || value > most) {
        throw new Error(`${size} bits hold ${String(least).replace("-", "\u2212")} to ${most}.`);
    }
    const found = new Uint8Array(size / 8);
    for (let index = 0; index < found.length; index += 1) {
        const place = BigInt(8 * (big ? found.length - 1 - index : index));
        found[index] = Number((BigInt.asUintN(size, value) >> place) & 0xFFn);
    }
    return written(found);
}

/// Lines of hexadecimal with the text beside them, `each` octets a line.
export function dump(octets, each) {
    const bytes = bytesOf(octets), lines = [];
    for (let index = 0; index < bytes.length; index += each) {
        const row = [...bytes.slice(index, index + each)];
        const digits = row.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
        const text = row.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
        lines.push(`${digits.padEnd(3 * each)} ${text}`);
    }
    return lines.join("\n");
}
