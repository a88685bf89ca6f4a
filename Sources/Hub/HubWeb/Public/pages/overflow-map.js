// The 128 bits as 16 columns, which are octets, of 8 rows, which are bits; arrows move, a drag reads along.
import { h, mark, say } from "../dom.js";
import { plain } from "../text.js";
import { bitsOf, bitText, bitTitle, maskText, watchBit } from "./overflow-words.js";

const kinds = {
    payload: "Payload",
    known: "Known service",
    unknown: "Not known",
};

export function bitMap(page) {
    const cells = new Map(), octets = [];
    const grid = h("div", {
        class: "bits",
        role: "listbox",
        tabindex: "0",
        "aria-label": "Bits of the map: octets from left to right, bit 7 at the top",
        "aria-orientation": "horizontal",
        onkeydown: (event) => key(event),
    });
    grid.append(h("span"));
    for (let octet = 0; octet < 16; octet += 1) {
        grid.append(h("span", { class: "bit-label", "aria-hidden": "true" }, octet));
    }
    for (let place = 7; place >= 0; place -= 1) {
        grid.append(h("span", { class: "bit-label", "aria-hidden": "true" }, place));
        for (let octet = 0; octet < 16; octet += 1) {
            const bit = octet * 8 + place;
            const cell = h("div", { class: "bit", role: "option", id: `bit-${bit}`, "data-bit": bit });
            cells.set(bit, cell);
            grid.append(cell);
        }
    }
    grid.append(h("span"));
    for (let octet = 0; octet < 16; octet += 1) {
        const one = h("span", { class: "bit-octet", "aria-hidden": "true" });
        octets.push(one);
        grid.append(one);
    }
    let held = false;
    const read = (event) => {
        const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-bit]");
        if (cell && grid.contains(cell)) page.chooseBit(Number(cell.dataset.bit));
    };
    grid.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        held = true;
        read(event);
    });
    grid.addEventListener("pointermove", (event) => held && read(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
        grid.addEventListener(name, () => held = false);
    }

    const key = (event) => {
        const octet = page.bit >> 3, place = page.bit & 7;
        const moves = {
            ArrowRight: [octet + 1, place],
            ArrowLeft: [octet - 1, place],
            ArrowUp: [octet, place + 1],
            ArrowDown: [octet, place - 1],
            Home: [0, place],
            End: [15, place],
        };
        const to = moves[event.key];
        if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const [x, y] = to;
        if (x >= 0 && x < 16 && y >= 0 && y < 8) page.chooseBit(x * 8 + y);
    };

    const legend = h(
        "div",
        { class: "bit-key", "aria-hidden": "true" },
        Object.entries(kinds).map(([kind, word]) => h("span", h("i", { class: `bit ${kind}` }), word)),
        h("span", h("i", { class: "bit watch" }), h("span", { class: "watch-word" })),
    );
    const sentence = h("p", { class: "spoken" });
    return {
        element: h("div", grid, legend, sentence),
        refresh(source, bits) {
            const payload = bitsOf(source?.payload?.map);
            const counts = { payload: 0, known: 0, unknown: 0 };
            for (const [bit, cell] of cells) {
                const set = bits.has(bit), services = page.servicesOf(bit);
                const kind = !set
                    ? null
                    : payload.has(bit)
                    ? "payload"
                    : services.length
                    ? "known"
                    : "unknown";
                if (kind) counts[kind] += 1;
                const watch = bit === watchBit;
                const classes = [
                    "bit",
                    watch && kind !== "payload" ? "watch" : kind,
                    watch && set ? "set" : null,
                ];
                mark(cell, "class", classes.filter(Boolean).join(" "));
                say(cell, watch && kind !== "payload" ? "!" : "");
                const words = [
                    `${bitTitle(bit)}, octet ${bit >> 3}, ${maskText(bit)}`,
                    set ? kinds[kind].toLowerCase() : "not set",
                    watch
                        ? "Apple’s Watch set-up"
                        : services.length
                        ? services.slice(0, 4).map(({ name }) => plain(name)).join(", ")
                        : null,
                ];
                mark(cell, "aria-label", words.filter(Boolean).join(": "));
                mark(cell, "aria-selected", String(bit === page.bit));
            }
            mark(grid, "aria-activedescendant", `bit-${page.bit}`);
            const pairs = source?.octets.match(/../g) ?? Array(16).fill("00");
            octets.forEach((one, index) => {
                say(one, pairs[index].toUpperCase());
                one.classList.toggle("set", pairs[index] !== "00");
            });
            say(
                legend.querySelector(".watch-word"),
                `Watch set-up, ${bitText(watchBit)}: ${bits.has(watchBit) ? "set" : "not set"}`,
            );
            say(
                sentence,
                source
                    ? `${bits.size} bits are set: ${counts.payload} of a payload, ${counts.known} of known services, ${counts.unknown} not known.`
                    : "No map yet.",
            );
        },
    };
}
