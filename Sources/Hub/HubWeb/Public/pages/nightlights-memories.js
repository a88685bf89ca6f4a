// What is remembered of lamps, whether they are here or not.

export class Memories {
    #all = new Map();
    /// What was told since the hub was asked: it may be newer than the answer.
    #told = new Map();

    values() {
        return this.#all.values();
    }
    get(address) {
        return this.#all.get(address);
    }

    /// Asks for all of them; says whether the answer was taken.
    async fetch(jobs) {
        const told = this.#told = new Map();
        try {
            const { items } = await jobs.lamps();
            if (told !== this.#told) return false;
            this.#all = new Map(items.map((item) => [item.address, item]));
            for (const memory of told.values()) this.take(memory);
            return true;
        } catch {
            // It is asked again with the next state of the hub.
            return false;
        }
    }

    /// Takes what was told of one.
    take(memory) {
        this.#told.set(memory.address, memory);
        if (memory.seen || memory.pending.length) this.#all.set(memory.address, memory);
        else this.#all.delete(memory.address);
    }
}
