// A device as it is now becomes a save; one that is compared with another save, too.
import { h } from "../dom.js";
import { clock, day, deviceText, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";

const nameNow = (view) => {
    const name = view.device
        ? deviceText(view.device)
        : view.work.explorer.job.name ?? view.work.explorer.job.address;
    return `${plain(name, 60)}, ${clock(view.app.time)}`.slice(0, 100);
};

const keep = (view, name) => view.page.requests.save(view.work.explorer.job.id, name);

/// Asks for a name and keeps the device under it.
export function saveDevice(view) {
    const field = h("input", {
        class: "field",
        type: "text",
        maxlength: 100,
        "aria-label": "Name of the save",
        spellcheck: "false",
    });
    const refusal = h("p", { class: "refused", role: "alert", hidden: true });
    const save = async () => {
        try {
            await keep(view, field.value.trim() || nameNow(view));
        } catch (error) {
            refusal.hidden = false;
            refusal.textContent = error.message;
            return false;
        }
        toast("Saved. You find it in Saves.");
        return true;
    };
    const element = dialog(
        "Save this device",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                "Its services, with every value that was read, and what it advertises.",
            ),
            field,
            refusal,
        ),
        { sheet: true, actions: [["Save", "main", save]] },
    );
    field.value = nameNow(view);
    field.select();
    field.addEventListener("keydown", async (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (await save()) element.close();
    });
}

/// Keeps the device as it is now and compares it with a save that is chosen.
export function saveAndCompare(view) {
    const address = view.work.explorer.job.address;
    return chooseSave(view, {
        hint: "First the device is saved as it is now.",
        fits: () => true,
        address,
        none: "There is no save to compare with yet. Save this device first.",
        chosen: (one, self, close) =>
            view.app.run(self, () => keep(view, nameNow(view)), (now) => {
                close();
                location.hash = `#/explorer/compare/${one.id}/${now.id}`;
            }),
    });
}

/// Asks with which save another one is compared; the older one is before.
export function compareSave(view, save) {
    return chooseSave(view, {
        hint: null,
        fits: ({ id }) => id !== save.id,
        address: save.address,
        none: "There is no other save to compare with yet.",
        chosen: (one, _, close) => {
            close();
            const [before, after] = one.time < save.time ? [one, save] : [save, one];
            location.hash = `#/explorer/compare/${before.id}/${after.id}`;
        },
    });
}

/// Lets one of the saves be chosen, those of the same device first.
async function chooseSave(view, { hint, fits, address, none, chosen }) {
    let items;
    try {
        items = (await view.page.requests.saves()).items.filter(fits);
    } catch (error) {
        return toast(error.message);
    }
    if (!items.length) return toast(none);
    const sorted = [
        ...items.filter((one) => one.address === address),
        ...items.filter((one) => one.address !== address),
    ];
    const element = dialog(
        "Compare with",
        h(
            "div",
            { class: "stack explorer-menu" },
            hint ? h("p", { class: "second" }, hint) : null,
            sorted.map((one) =>
                button(
                    h(
                        "span",
                        { class: "grow" },
                        h("bdi", { class: "cut" }, plain(one.name, 100)),
                        h("span", { class: "hint cut" }, `${day(one.time)}, ${clock(one.time)}`),
                    ),
                    (self) => chosen(one, self, () => element.close()),
                    { kind: "menu-row" },
                )
            ),
        ),
        { sheet: true },
    );
}
