// The weeks that the hub keeps: saved from a lamp, renamed, sent to a lamp, to and from files as the command line has them.
import { fill, h } from "../dom.js";
import { symbol } from "../marks.js";
import { air, day, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { weekLines } from "./nightlights-cards.js";
import { lampText, whose } from "./nightlights-lamp.js";

const nameOf = (week) => week.name || "Without a name";

/// Asks for a name.
function askNew(title, name, done) {
    const field = h("input", {
        class: "field",
        id: "week-name",
        maxlength: 24,
        value: name,
        autocomplete: "off",
    });
    const go = () => done(field.value.trim());
    const element = dialog(
        title,
        h(
            "form",
            {
                class: "stack",
                onsubmit: async (event) => {
                    event.preventDefault();
                    if (await go() !== false) element.close();
                },
            },
            h("label", { class: "label", for: "week-name" }, "Name of the week"),
            field,
        ),
        { sheet: true, actions: [["Cancel", "", () => true], ["Save", "main", go]] },
    );
    field.select();
}

export function libraryView(page) {
    const { app, hub } = page;
    const list = h("div", { class: "library" }), empty = h("div", { class: "empty" });
    const take = h("input", {
        type: "file",
        accept: ".json,application/json",
        hidden: true,
        "aria-label": "Week file",
        onchange: () => importFile(),
    });
    const keep = button(
        [symbol("plus", 18), "Save this lamp’s week"],
        () =>
            askNew(
                "Save the week",
                page.lamp.week.name,
                (name) => attempt(() => hub.jobs.keepSchedule({ ...page.lamp.week, name }), "Saved."),
            ),
    );
    const element = h(
        "section",
        { class: "card", "aria-label": "Library" },
        h(
            "div",
            { class: "card-head" },
            h("h2", "Saved weeks"),
            h("span", { class: "grow" }),
            keep,
            button([symbol("upload", 18), "Import"], () => take.click()),
            take,
        ),
        list,
        empty,
    );
    let items = null, shape;

    async function load() {
        try {
            items = (await hub.jobs.schedules()).items;
            draw();
        } catch (error) {
            toast(error.message);
        }
    }
    async function attempt(work, done) {
        try {
            await work();
            await load();
            if (done) toast(done);
        } catch (error) {
            toast(error.message);
            return false;
        }
    }
    async function importFile() {
        const [file] = take.files;
        take.value = "";
        if (!file) return;
        if (file.size > 65536) return toast("This file is not a week: it is larger than 64 KiB.");
        const choose = "Choose one that `lantern nightlight week show --json` has printed.";
        let week;
        try {
            week = JSON.parse(await file.text());
        } catch {
            return toast(`This file is not JSON. ${choose}`);
        }
        if (!Array.isArray(week?.groups)) return toast(`This is not a week. ${choose}`);
        await attempt(() => hub.jobs.keepSchedule(week), "Imported.");
    }
    function exportFile({ week }) {
        const address = URL.createObjectURL(
            new Blob([JSON.stringify(week, null, 2) + "\n"], { type: "application/json" }),
        );
        const name = (week.name || "week").replace(/[^\p{L}\p{N} _-]/gu, "_");
        h("a", { href: address, download: `${name}.json` }).click();
        URL.revokeObjectURL(address);
    }
    async function forget(item) {
        await attempt(() => hub.jobs.forgetSchedule(item.id));
        toast("Deleted.", () => attempt(() => hub.jobs.keepSchedule(item.week)));
    }
    /// Sends it to any lamp: over the link to this one, to others when they are heard.
    function give(item) {
        const send = async (lamp) => {
            try {
                if (lamp.address === page.lampAddress) {
                    await page.send({ week: item.week }, { done: `${whose(lamp.name)} lamp has the week.` });
                } else {
                    const kind = {
                        random: "/R",
                        public: "/P",
                    }[lamp.device?.address_kind ?? lamp.memory?.address_kind] ?? "";
                    page.remember(await hub.jobs.addPending(lamp.address + kind, { week: item.week }));
                    toast(`Sent to ${whose(lamp.name)} lamp as soon as it is heard.`);
                }
            } catch (error) {
                toast(error.message);
            }
        };
        const lamps = page.lamps;
        if (lamps.length === 1) return send(lamps[0]);
        const element = dialog(
            "Send to which lamp?",
            h(
                "div",
                { class: "stack" },
                lamps.map((lamp) =>
                    button(lampText(lamp), async () => {
                        await send(lamp);
                        element.close();
                    })
                ),
            ),
            { sheet: true },
        );
    }

    function draw() {
        const wants = JSON.stringify([items, page.lampAddress, app.away]);
        if (wants === shape || !items) return;
        shape = wants;
        fill(
            list,
            items.map((item) =>
                h(
                    "article",
                    { class: "library-item" },
                    h(
                        "div",
                        { class: "library-head" },
                        h("h3", { class: "grow cut" }, air(nameOf(item.week))),
                        h(
                            "span",
                            { class: "hint" },
                            `Saved ${
                                day(item.kept, app.time).replace(
                                    /^(Today|Yesterday)$/,
                                    (word) => word.toLowerCase(),
                                )
                            }`,
                        ),
                    ),
                    h("div", { class: "week-lines" }, weekLines(item.week, -1)),
                    h(
                        "div",
                        { class: "actions" },
                        button("Send to a lamp", () => give(item), { kind: "small" }),
                        button("Rename", () =>
                            askNew("Rename the week", item.week.name, (name) =>
                                attempt(() =>
                                    hub.jobs.replaceSchedule(item.id, { ...item.week, name }), "Renamed.")), {
                            kind: "small",
                        }),
                        button([symbol("download", 16), "Export"], () =>
                            exportFile(item), { kind: "small" }),
                        button(symbol("trash", 18), () =>
                            forget(item), {
                            kind: "icon",
                            label: `Delete ${plain(nameOf(item.week))}`,
                        }),
                    ),
                )
            ),
        );
        list.hidden = !items.length;
        empty.hidden = items.length > 0;
        fill(
            empty,
            h("h2", "No saved weeks yet"),
            h(
                "p",
                "Save this lamp’s week, or import a file that the command line has written. You can then send it to any lamp.",
            ),
        );
    }
    load();
    return {
        element,
        refresh() {
            keep.hidden = !page.lamp?.week;
            draw();
        },
    };
}
