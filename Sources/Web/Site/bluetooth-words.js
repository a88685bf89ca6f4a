// SPDX-License-Identifier: Apache-2.0
// Web Bluetooth's objects and errors in the words of the engine.

const hex = (octet) => octet.toString(16).padStart(2, "0");

/// The octets of a DataView or a buffer, in hex digits.
export const octetsOf = (view) =>
    [...new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength)].map(hex).join("");

/// A UUID as browsers take it, from 4, 8 or 32 hex digits.
export function textOf(uuid) {
    const digits = String(uuid).toLowerCase().replace(/^0x/, "");
    return digits.length > 8 ? digits : `${digits.padStart(8, "0")}-0000-1000-8000-00805f9b34fb`;
}

/// The identifier of a device: browsers have texts of any form, which stay as long as the permission.
export async function nameOf({ id }) {
    const octets = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id)));
    const digits = [...octets.subarray(0, 16)].map(hex).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const bits = [
    "broadcast",
    "read",
    "writeWithoutResponse",
    "write",
    "notify",
    "indicate",
    "authenticatedSignedWrites",
];

/// The octet of properties, as the specification of GATT has it.
function properties(known) {
    let octet = known.reliableWrite || known.writableAuxiliaries ? 0x80 : 0;
    bits.forEach((name, index) => octet |= known[name] ? 1 << index : 0);
    return octet;
}

/// A list that may be empty, which is no fault here.
async function listOf(ask) {
    try {
        return await ask();
    } catch (error) {
        if (error.name === "NotFoundError") return [];
        throw error;
    }
}

/// Everything that a page may see of a device. Browsers name no handles: these are counted, a declaration before each value.
export async function attributes(gatt) {
    const found = new Map(), services = [];
    let handle = 0;
    for (const service of await listOf(() => gatt.getPrimaryServices())) {
        const listed = { uuid: service.uuid, handle: handle += 1, characteristics: [] };
        for (const characteristic of await listOf(() => service.getCharacteristics())) {
            const value = { uuid: characteristic.uuid, handle: handle += 2, descriptors: [] };
            value.properties = properties(characteristic.properties);
            found.set(handle, characteristic);
            for (const descriptor of await listOf(() => characteristic.getDescriptors())) {
                value.descriptors.push({ uuid: descriptor.uuid, handle: handle += 1 });
                found.set(handle, descriptor);
            }
            listed.characteristics.push(value);
        }
        services.push(listed);
    }
    return { services, found };
}

/// Why something was not done, in one word of the engine. Browsers differ in the names of errors more than in their words.
export function why({ name, message = "" }, device) {
    if (/already in progress/i.test(message)) return "busy";
    if (/not paired|not authorized|authenti|encrypt/i.test(message)) return "unauthorized";
    if (/invalid.*length/i.test(message) || name === "InvalidModificationError") return "length";
    if (!device.gatt.connected) return "gone";
    if (name === "InvalidStateError") return "changed";
    if (/unknown/i.test(message)) return "other";
    if (name === "SecurityError" || name === "NotSupportedError") return "unsupported";
    return name === "NetworkError" ? "gone" : "other";
}
