// Who may have set a bit, what collides, and the catalogue with one's own services.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { air, count, counted, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { bitTitle, maskText, shortUUID, watchBit, wholeUUID } from "./overflow-words.js";

const row = ({ uuid, name, own }) =>
    h(
        "li",
        h("i", { "aria-hidden": "true" }),
        h(
            "div",
            { class: "grow" },
            h("div", air(name)),
            h(
                "div",
                { class: "hint" },
                own ? "yours, " : "",
                h("span", { class: "octets" }, shortUUID(uuid)),
            ),
        ),
    );

/// The bit in hand.
export function bitCard(page) {
    const title = h("h2"),
        place = h("span", { class: "hint" }),
        text = h("p"),
        list = h("ul", { class: "services" });
    const all = button("", () => catalogue(page));
    const element = h(
        "section",
        { class: "card overflow-bit", "aria-label": "Bit" },
        h("div", { class: "card-head" }, title, place),
        text,
        list,
        all,
    );
    let shape;
    return {
        element,
        refresh() {
            const { bit } = page, services = page.servicesOf(bit);
            say(title, bitTitle(bit));
            say(place, `Octet ${bit >> 3}, ${maskText(bit)}`);
            say(
                text,
                services.length > 1
                    ? "May be set by any of these. One bit cannot tell them apart."
                    : services.length
                    ? "Set by this, or by something that is not in the catalogue."
                    : page.app.away && !page.services.length
                    ? `${page.app.notKnown}.`
                    : "Nothing in the catalogue sets it." +
                        (bit === watchBit ? " Apple’s Watch set-up does." : ""),
            );
            const now = JSON.stringify([services, page.services.length]);
            if (now === shape) return;
            shape = now;
            fill(list, services.map(row));
            const number = page.services.length;
            fill(
                all,
                symbol("search", 18),
                number ? `Catalogue, ${counted(number, "service")}` : "Catalogue",
            );
        },
    };
}

/// Bits that several services set.
export function collisionsCard(page) {
    const number = h("span", { class: "hint" }), list = h("ul");
    const element = h(
        "section",
        { class: "card collisions", "aria-label": "Collisions in the catalogue" },
        h("div", { class: "card-head" }, h("h2", "Collisions in the catalogue"), number),
        list,
    );
    let shape;
    return {
        element,
        refresh() {
            const now = JSON.stringify(page.services);
            if (now === shape) return;
            shape = now;
            const shared = new Map();
            for (const one of page.services) shared.set(one.bit, [...(shared.get(one.bit) ?? []), one]);
            const found = [...shared].filter(([, services]) => services.length > 1).sort(([a], [b]) => a - b);
            say(number, `${found.length} of 128 bits ${found.length === 1 ? "is" : "are"} shared`);
            fill(
                list,
                found.map(([bit, [first, ...others]]) =>
                    h(
                        "li",
                        button(
                            [
                                h("span", { class: "hint" }, bitTitle(bit)),
                                h("span", air(first.name)),
                                h("span", { class: "hint" }, air(others.map(({ name }) => name).join(", "))),
                            ],
                            () => {
                                page.chooseBit(bit);
                                page.map.element.firstChild.focus();
                            },
                            {
                                kind: "collision",
                                label: `${bitTitle(bit)}: ${
                                    plain([first, ...others].map(({ name }) => name).join(", "))
                                }`,
                            },
                        ),
                    )
                ),
            );
        },
    };
}

/// All services: looked for, added to, taken out of.
function catalogue(page) {
    const { app } = page, { hub } = app;
    const own = () => hub.state.settings.overflow?.services ?? [];
    const keep = (services) => hub.changeSettings({ overflow: { services } });
    const list = h("ul", { class: "services catalogue-list" }),
        number = h("p", { class: "hint", role: "status" });
    const search = h("input", {
        class: "field",
        type: "search",
        "aria-label": "Look for a service",
        placeholder: "Name, UUID or bit",
        oninput: () => show(),
    });
    const uuid = h("input", {
        class: "field octets",
        "aria-label": "UUID",
        autocomplete: "off",
        spellcheck: "false",
    });
    const name = h("input", { class: "field", "aria-label": "Name", maxlength: "60", autocomplete: "off" });
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    const add = async (self) => {
        refused.hidden = true;
        mark(uuid, "aria-invalid", null);
        mark(self, "aria-busy", "true");
        try {
            await keep([...own(), { uuid: uuid.value.trim(), name: name.value.trim() }]);
            await page.fetchServices();
            [uuid.value, name.value] = ["", ""];
            uuid.focus();
            show();
        } catch (error) {
            refused.hidden = false;
            mark(uuid, "aria-invalid", "true");
            fill(refused, symbol("warn", 16), error.message);
        }
        mark(self, "aria-busy", null);
    };
    const remove = async (one) => {
        const before = own();
        try {
            await keep(before.filter(({ uuid }) => uuid !== one.uuid));
            await page.fetchServices();
        } catch (error) {
            return toast(error.message);
        }
        show();
        toast(
            `${plain(one.name)} was taken out.`,
            () => keep(before).then(() => page.fetchServices()).then(show),
        );
    };
    const show = () => {
        const wanted = search.value.trim().toLowerCase();
        const found = page.services.filter((one) =>
            !wanted || one.name.toLowerCase().includes(wanted) || one.uuid.toLowerCase().includes(wanted) ||
            String(one.bit) === wanted
        );
        say(number, `${count(found.length)} of ${counted(page.services.length, "service")}`);
        fill(
            list,
            found.map((one) =>
                h(
                    "li",
                    h("i", { "aria-hidden": "true" }),
                    h(
                        "div",
                        { class: "grow" },
                        h("div", air(one.name)),
                        h("div", { class: "octets hint" }, wholeUUID(one.uuid)),
                    ),
                    h("span", { class: "hint" }, bitTitle(one.bit)),
                    one.own
                        ? button(symbol("trash", 18), () => remove(one), {
                            kind: "icon",
                            label: `Take ${plain(one.name)} out`,
                        })
                        : null,
                )
            ),
        );
    };
    const addButton = button("Add", add, { kind: "main" });
    for (const field of [uuid, name]) {
        field.addEventListener("keydown", (event) => {
            if (event.key === "Enter") add(addButton);
        });
    }
    show();
    dialog(
        "Catalogue",
        h(
            "div",
            search,
            list,
            number,
            h(
                "div",
                { class: "catalogue-add" },
                h("label", "A UUID of yours", uuid),
                h("label", "What it is called", name),
                addButton,
            ),
            refused,
        ),
        { sheet: true },
    );
}
