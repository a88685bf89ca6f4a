// Values, properties and UUIDs of the Explorer in words.
import { count, counted, heard, plain } from "../text.js";
import { length, spaced } from "./explorer-octets.js";

/// "180D" of the UUID of the Bluetooth SIG, else the whole.
export function shortUUID(uuid) {
    if (!uuid) return "";
    const short = /^0000([0-9a-f]{4})-0000-1000-8000-00805f9b34fb$/i.exec(uuid)?.[1] ?? uuid;
    return short.length === 4 ? short.toUpperCase() : short;
}

export const handleWord = (handle) => `0x${handle.toString(16).toUpperCase().padStart(4, "0")}`;

const words = {
    read: "Read",
    write: "Write",
    write_without_response: "Write",
    notify: "Notify",
    indicate: "Indicate",
};

export const can = (characteristic, ...names) =>
    names.some((name) => characteristic.properties.includes(name));

/// The small tags of a characteristic; the one for values that come by themselves is lit while they do.
export function canWords({ properties }, listens) {
    const found = [...new Set(properties.map((name) => words[name]).filter(Boolean))];
    return found.map((word) => ({ word, lit: listens && (word === "Notify" || word === "Indicate") }));
}

/// What a value says in one line: {words, why, none}; `why` says that the words are a reason and no value, `none` that
/// there is nothing to say where room is scarce.
export function valueWords(value, { properties = [] } = {}) {
    if (value.error) return { words: value.error, why: true };
    if (value.octets === null || value.octets === undefined) {
        if (properties.includes("read")) return { words: "Not read", why: true };
        const sends = properties.includes("notify") || properties.includes("indicate");
        return { words: sends ? "Nothing has come yet" : "No value to read", why: true, none: true };
    }
    const words = octetsWords(value);
    return { words: value.incomplete ? `${words} …` : words, why: false };
}

function octetsWords(value) {
    if (value.fields?.length) return saidWords(mainField(value));
    if (value.octets === "") return "Empty";
    if (value.text) return plain(value.text, 120);
    return length(value.octets) <= 6 ? spaced(value.octets) : counted(length(value.octets), "octet");
}

/// "Only the first 22 octets were read. There may be more: the link was lost."; null of a whole value.
export function incompleteWords({ octets, incomplete }) {
    if (!incomplete) return null;
    const first = counted(length(octets), "octet");
    return `Only the first ${first} were read. There may be more: ${plain(incomplete, 300)}.`;
}

/// The field that a value is about: its number, else the first one that is more than flags.
function mainField({ fields, plotted_name }) {
    return fields.find(({ name }) => name === plotted_name) ?? fields.find(({ name }) => name !== "Flags") ??
        fields[0];
}
/// "72 per minute" of "72 /min".
const saidWords = ({ value }) =>
    value.replace(/^(\S+) (\/\S+)$/, (_, number, unit) => `${number} ${unitWords(unit)}`);

/// The main field without its name, the others with theirs, and why that is not all:
/// "72 per minute, Skin contact Yes (1 octet too many)".
export function fieldsWords(value) {
    const main = mainField(value), others = value.fields.filter((field) => field !== main);
    const words = [saidWords(main), ...others.map((field) => `${field.name} ${saidWords(field)}`)].join(", ");
    return value.misfit ? `${words} (${value.misfit})` : words;
}

const lackWords = {
    modulation: "how the link is modulated",
    timing: "the link's timing",
    link_strength: "how strong the link is",
};

/// What the hub's radio does not tell of a link, as a sentence; null for one that tells all.
export function lacksSentence({ name, lacks }) {
    const found = Object.keys(lackWords).filter((one) => lacks.includes(one)).map((one) => lackWords[one]);
    if (!found.length) return null;
    const last = found.pop();
    return `The radio ${plain(name, 40)} does not tell ${
        found.length ? `${found.join(", ")} and ${last}` : last
    }.`;
}

const phys = { "1m": "1M PHY", "2m": "2M PHY", coded: "Coded PHY" };

/// "every 1,020 ms", of how often a device advertises.
export const everyWords = (interval) => `every ${count(Math.round(interval))} ms`;

/// "3 s ago, every 1,020 ms".
export const airWords = ({ last_heard, interval }, time) =>
    [heard(last_heard, time), interval ? everyWords(interval) : null].filter(Boolean).join(", ");

/// "per minute", of a unit as the hub says it.
export const unitWords = (unit) => unit.replace(/^\//, "per ").replace(/^per min$/, "per minute");

/// "MTU 247, 2M PHY, every 30 ms".
export function linkWords({ mtu, phy_tx, phy_rx, interval }) {
    const phy = phy_tx === phy_rx ? phys[phy_tx] : `${phys[phy_tx] ?? "?"} out, ${phys[phy_rx] ?? "?"} in`;
    return [mtu ? `MTU ${mtu}` : null, phy_tx ? phy : null, interval ? `every ${interval} ms` : null].filter(
        Boolean,
    )
        .join(", ");
}

/// "Encrypted, and nobody in between can listen, key of 16 octets": of a link or of keys that are kept.
export function protectionWords({ level, key_size }) {
    const words = {
        encrypted: "Encrypted, but somebody in between could listen",
        authenticated: "Encrypted, and nobody in between can listen",
        secure_connections: "Encrypted with Secure Connections, and nobody in between can listen",
    };
    return [words[level], key_size ? `key of ${counted(key_size, "octet")}` : null].filter(Boolean).join(
        ", ",
    );
}

/// "Encrypted, key of 16 octets, keys kept", "None", or null where it is not known.
export function encryptionWords({ security, key_size, bonded }) {
    if (!security) return null;
    if (security === "none") return "None";
    return [
        security === "authenticated" ? "Encrypted, and nobody in between can listen" : "Encrypted",
        key_size ? `key of ${counted(key_size, "octet")}` : null,
        bonded === null || bonded === undefined ? null : bonded ? "keys kept" : "keys not kept",
    ].filter(Boolean).join(", ");
}
