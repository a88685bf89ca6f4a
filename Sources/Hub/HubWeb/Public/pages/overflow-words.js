// Octets and bits of the overflow area as text and numbers.

/// "01 02 03 04" of "01020304".
export const spaced = (octets) => (octets?.match(/../g) ?? []).join(" ").toUpperCase();

/// The numbers of the bits that are set in a map of 16 octets.
export function bitsOf(octets) {
    const bits = new Set();
    for (const [index, pair] of (octets?.match(/../g) ?? []).entries()) {
        for (let place = 0; place < 8; place += 1) {
            if (parseInt(pair, 16) >> place & 1) bits.add(index * 8 + place);
        }
    }
    return bits;
}

/// The bit that Apple Watches are set up with.
export const watchBit = 66;

/// "bit 66 (table index 69)": the published table counts the bits of an octet from the other end.
export const bitText = (bit) => `bit ${bit} (table index ${bit ^ 7})`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
/// The same at the beginning of a sentence.
export const bitTitle = (bit) => capital(bitText(bit));

export const maskText = (bit) => `0x${(1 << bit % 8).toString(16).toUpperCase().padStart(2, "0")}`;

/// A UUID as pages write it: assigned numbers in capitals.
export const wholeUUID = (uuid) => uuid.length > 12 ? uuid : uuid.toUpperCase();
/// A UUID short enough for a row: its beginning and its end.
export const shortUUID = (uuid) =>
    uuid.length > 12 ? `${uuid.slice(0, 13)}-…${uuid.slice(-4)}` : wholeUUID(uuid);
