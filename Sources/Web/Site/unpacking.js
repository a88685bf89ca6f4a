// SPDX-License-Identifier: Apache-2.0
// Files piece by piece, unpacked where their first octets say gzip: with all members that they have, as a hub reads
// them. What a browser brings for that, DecompressionStream, reads one member, refuses what follows it and does not say
// where it ended. To find that by trials took more than half as many lines, time for each octet that looks like the
// begin of a member, and a second reading before what fills up a tape; when output comes depends on who runs it.
//
// Spec: RFC 1951, RFC 1952.

const early = "its compressed data end too early; copy or download the file again";
const damaged = "its compressed data are damaged; copy or download the file again";
const swollen =
    "it unpacks to far more than any file of detections, drives or cameras does; if it is one, unpack it first, for example with gunzip";

// Octets that are read at once, and that come out at once; how far back a repetition reaches, and how long it is at most.
const piece = 1 << 18, reach = 1 << 15, longest = 258;
// Octets that the tables before a block may have, and one symbol with all that belongs to it.
const mostTables = 1024, mostSymbol = 16;
// So many times its own size no file of use unpacks to; octets that come out before that is looked at. As on a hub.
const mostTimes = 300, unlooked = 1 << 20;

/// Why no more of a file is read: a phrase, as a hub says it.
export class FileFault extends Error {
    constructor(reason, isTooLarge = false) {
        super(reason);
        this.isTooLarge = isTooLarge;
    }
}

/// The octets of a file in pieces, of which no more than `most` come out: then, or where it is damaged, with a FileFault.
export async function* piecesOf(file, most) {
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isPacked = head[0] === 0x1F && head[1] === 0x8B;
    let room = most;
    for await (const octets of isPacked ? new Unpacking(file).pieces() : plain(file)) {
        const fitting = octets.subarray(0, room);
        room -= fitting.length;
        if (fitting.length) yield fitting;
        if (fitting.length < octets.length) throw new FileFault("it is too large", true);
    }
}

async function* plain(file) {
    for (let at = 0; at < file.size; at += piece) {
        yield new Uint8Array(await file.slice(at, at + piece).arrayBuffer());
    }
}

class Unpacking {
    constructor(file) {
        this.file = file;
        // How much of it was read, what of that is there, and where in it the next octet is.
        this.done = 0;
        this.input = new Uint8Array(0);
        this.at = 0;
        // Bits that were taken and not used yet.
        this.hold = 0;
        this.held = 0;
        // What came out, behind what may be repeated: from where on it was neither given away nor counted.
        this.output = new Uint8Array(reach + piece + longest);
        this.end = 0;
        this.given = 0;
        this.summed = 0;
        // What came out of all members.
        this.total = 0;
    }

    async *pieces() {
        try {
            do {
                await this.begin();
                yield* this.blocks();
                await this.check();
            } while (await this.goesOn());
        } catch (fault) {
            // What came before the end is right.
            if (fault.message === early && this.end > this.given) yield this.give();
            throw fault;
        }
        if (this.end > this.given) yield this.give();
    }

    // MARK: Members

    /// Reads what a member begins with.
    async begin() {
        Object.assign(this, { start: this.end, sum: -1, size: 0 });
        await this.bring(mostTables);
        if (this.octet() !== 0x1F || this.octet() !== 0x8B || this.octet() !== 8) {
            throw new FileFault(damaged);
        }
        const flags = this.octet();
        if (flags & 0xE0) throw new FileFault(damaged);
        // When it was packed, how, and where.
        for (let count = 0; count < 6; count += 1) this.octet();
        if (flags & 4) await this.skip(this.octet() | this.octet() << 8);
        // Its name, and a remark.
        for (const flag of [8, 16]) if (flags & flag) await this.skipText();
        if (flags & 2) await this.skip(2);
    }

    async skip(count) {
        await this.bring(count);
        for (let left = count; left; left -= 1) this.octet();
    }

    async skipText() {
        do {
            if (this.at === this.input.length) await this.bring(1);
        } while (this.octet());
    }

    /// Holds what came out against what the end of a member says.
    async check() {
        this.count();
        this.align();
        await this.bring(8);
        if (this.number() !== ~this.sum >>> 0 || this.number() !== this.size >>> 0) {
            throw new FileFault(damaged);
        }
    }

    /// Whether another member follows; else there may be octets that fill up a tape.
    async goesOn() {
        await this.bring(1);
        return this.input[this.at] === 0x1F;
    }

    // MARK: What comes in

    /// Reads until so many octets lie ahead, or the file is at its end.
    async bring(count) {
        while (this.input.length - this.at < count && this.done < this.file.size) {
            const octets = new Uint8Array(await this.file.slice(this.done, this.done + piece).arrayBuffer());
            this.done += octets.length;
            // Of those before, some may be put back.
            const kept = Math.min(this.at, 4), rest = this.input.subarray(this.at - kept);
            this.input = new Uint8Array(rest.length + octets.length);
            this.input.set(rest);
            this.input.set(octets, rest.length);
            this.at = kept;
        }
    }

    octet() {
        if (this.at === this.input.length) throw new FileFault(early);
        return this.input[this.at++];
    }

    number() {
        return (this.octet() | this.octet() << 8 | this.octet() << 16 | this.octet() << 24) >>> 0;
    }

    bits(count) {
        while (this.held < count) {
            this.hold |= this.octet() << this.held;
            this.held += 8;
        }
        const value = this.hold & (1 << count) - 1;
        this.hold >>>= count;
        this.held -= count;
        return value;
    }

    /// Goes on with the next whole octet.
    align() {
        this.at -= this.held >> 3;
        this.hold = this.held = 0;
    }

    /// The next symbol of a code.
    symbol({ table, most }) {
        while (this.held < most && this.at < this.input.length) {
            this.hold |= this.input[this.at++] << this.held;
            this.held += 8;
        }
        const found = table[this.hold & (1 << most) - 1], count = found & 15;
        if (!count) throw new FileFault(damaged);
        if (count > this.held) throw new FileFault(early);
        this.hold >>>= count;
        this.held -= count;
        return found >> 4;
    }

    // MARK: Blocks

    async *blocks() {
        for (let isLast = 0; !isLast;) {
            await this.bring(mostTables);
            isLast = this.bits(1);
            const kind = this.bits(2);
            if (kind === 3) throw new FileFault(damaged);
            if (kind === 0) {
                yield* this.stored();
                continue;
            }
            const [literals, distances] = kind === 1 ? fixed() : this.tables();
            while (!this.decode(literals, distances)) {
                if (this.isFull) yield this.give();
                await this.bring(mostTables);
            }
        }
    }

    /// Whether there is no room for a repetition.
    get isFull() {
        return this.end > this.output.length - longest;
    }

    /// Octets that are as they are.
    async *stored() {
        this.align();
        const size = this.octet() | this.octet() << 8, inverse = this.octet() | this.octet() << 8;
        if (size !== (inverse ^ 0xFFFF)) throw new FileFault(damaged);
        for (let left = size; left;) {
            if (this.isFull) yield this.give();
            await this.bring(1);
            const room = Math.min(left, this.output.length - this.end);
            const some = this.input.subarray(this.at, this.at + room);
            if (!some.length) throw new FileFault(early);
            this.output.set(some, this.end);
            this.end += some.length;
            this.at += some.length;
            left -= some.length;
        }
    }

    /// Reads the codes of a block.
    tables() {
        const literals = this.bits(5) + 257, distances = this.bits(5) + 1, count = this.bits(4) + 4;
        if (literals > 286 || distances > 30) throw new FileFault(damaged);
        const first = new Uint8Array(19);
        for (let index = 0; index < count; index += 1) first[order[index]] = this.bits(3);
        const code = codeOf(first), lengths = new Uint8Array(literals + distances);
        for (let at = 0; at < lengths.length;) {
            const symbol = this.symbol(code);
            let [value, times] = [symbol, 1];
            if (symbol === 16) [value, times] = [lengths[at - 1], 3 + this.bits(2)];
            if (symbol === 17) [value, times] = [0, 3 + this.bits(3)];
            if (symbol === 18) [value, times] = [0, 11 + this.bits(7)];
            if (value === undefined || at + times > lengths.length) throw new FileFault(damaged);
            lengths.fill(value, at, at + times);
            at += times;
        }
        // Without the symbol for its end a block has none.
        if (!lengths[256]) throw new FileFault(damaged);
        return [codeOf(lengths.subarray(0, literals), true), codeOf(lengths.subarray(literals), true)];
    }

    /// Decodes until a block is at its end, which is told, or there are no more octets or no more room.
    decode(literals, distances) {
        const { output, input } = this, isOver = this.done >= this.file.size;
        const full = output.length - longest;
        while (this.end <= full && (isOver || input.length - this.at >= mostSymbol)) {
            const symbol = this.symbol(literals);
            if (symbol < 256) output[this.end++] = symbol;
            else if (symbol === 256) return true;
            else this.repeat(symbol - 257, distances);
        }
        return false;
    }

    repeat(which, distances) {
        if (which >= lengths.length) throw new FileFault(damaged);
        const length = lengths[which] + this.bits(lengthBits[which]), far = this.symbol(distances);
        if (far >= distancesOf.length) throw new FileFault(damaged);
        const distance = distancesOf[far] + this.bits(distanceBits[far]);
        if (distance > this.end - this.start) throw new FileFault(damaged);
        const { output } = this, end = this.end + length;
        for (let at = this.end; at < end; at += 1) output[at] = output[at - distance];
        this.end = end;
    }

    // MARK: What comes out

    /// Counts what came out since the last time.
    count() {
        let { sum } = this;
        for (let at = this.summed; at < this.end; at += 1) {
            sum = sums[(sum ^ this.output[at]) & 0xFF] ^ sum >>> 8;
        }
        this.sum = sum;
        this.size += this.end - this.summed;
        this.summed = this.end;
    }

    /// Gives away what came out, and keeps what may be repeated.
    give() {
        this.count();
        this.total += this.end - this.given;
        const read = this.done - (this.input.length - this.at);
        if (this.total > Math.max(unlooked, read * mostTimes)) throw new FileFault(swollen);
        const octets = this.output.slice(this.given, this.end), gone = Math.max(0, this.end - reach);
        this.output.copyWithin(0, gone, this.end);
        this.end -= gone;
        this.start = Math.max(0, this.start - gone);
        this.given = this.summed = this.end;
        return octets;
    }
}

// MARK: Codes

// In which order the lengths of the code of lengths stand.
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBits = Array.from({ length: 30 }, (_, symbol) => Math.max(0, (symbol >> 1) - 1));

/// Where each symbol begins that has so many bits more.
function begins(bits, least) {
    let next = least;
    return bits.map((count) => {
        next += 1 << count;
        return next - (1 << count);
    });
}

// The last symbol says the longest one without bits of its own.
const lengths = [...begins(lengthBits.slice(0, -1), 3), longest], distancesOf = begins(distanceBits, 1);

// What each octet adds to a sum (CRC-32).
const sums = Int32Array.from({ length: 256 }, (_, octet) => {
    let sum = octet;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? sum >>> 1 ^ 0xEDB88320 : sum >>> 1;
    return sum;
});

/// A table that has at the next `most` bits which symbol they begin with (from bit 4 on) and how many bits that has (0: none).
///
/// A code of one symbol, or of none, may be there where `mayLack` says so; else there is something for all bits.
function codeOf(sizes, mayLack = false) {
    const counts = new Uint16Array(16), next = new Uint16Array(16);
    for (const size of sizes) counts[size] += 1;
    counts[0] = 0;
    let [most, left] = [0, 1];
    for (let size = 1; size < 16; size += 1) {
        if (counts[size]) most = size;
        left = 2 * left - counts[size];
        if (left < 0) throw new FileFault(damaged);
        next[size] = next[size - 1] + counts[size - 1] << 1;
    }
    if (left && !(mayLack && most < 2)) throw new FileFault(damaged);
    const table = new Uint16Array(1 << most);
    sizes.forEach((size, symbol) => {
        if (!size) return;
        const code = next[size]++;
        // Its first bit comes first, which is the lowest one.
        let first = 0;
        for (let bit = 0; bit < size; bit += 1) first |= (code >> bit & 1) << size - 1 - bit;
        for (let at = first; at < table.length; at += 1 << size) table[at] = symbol << 4 | size;
    });
    return { table, most };
}

/// The codes of a block that brings none.
function fixed() {
    const sizes = (symbol) => symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    return [
        codeOf(Uint8Array.from({ length: 288 }, (_, symbol) => sizes(symbol))),
        codeOf(new Uint8Array(32).fill(5)),
    ];
}
