// SPDX-License-Identifier: Apache-2.0
// The rows of Settings about cameras that others know: the sets that there are, and a file that brings one.
import { fill, h } from "../dom.js";
import { symbol } from "../marks.js";
import { count, counted, day, plain } from "../text.js";
import { button } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { checkSize, faultList } from "./history-import.js";
import { row } from "./settings-rows.js";

/// The most octets that the name of a set has.
const longestName = 100;

/// The name of a set: that of its file without the ending, or the two of a compressed one, as much as a name may have.
export function setName(file) {
    const octets = new TextEncoder(), plainFile = file.replace(/(?<=.)\.gz$/i, "");
    const name = plainFile.replace(/(?<=.)\.(geo)?(json|xml|osm)$/i, "").trim();
    const kept = [...name];
    while (octets.encode(kept.join("")).length > longestName) kept.pop();
    return kept.join("") || "known cameras";
}

const cameras = (number) => counted(number, "camera");

/// A block that asks for the sets and holds a row for each.
export function knownRows(page) {
    const sets = h("div", { class: "known-sets" });
    const file = h("input", {
        type: "file",
        accept: ".geojson,.geojsons,.geojsonl,.json,.osm,.osc,.xml,.gz",
        class: "spoken",
        tabindex: "-1",
        "aria-hidden": "true",
        "data-known": true,
        onchange: () => {
            const chosen = file.files[0];
            file.value = "";
            if (chosen) page.app.run(add, () => bring(page, chosen), (answer) => told(chosen, answer, show));
        },
    });
    const add = button([symbol("upload", 18), "Add a set"], () => file.click());
    const show = () => page.hub.knownSets.list().then((answer) => fill(sets, answer.sets.map(one)), () => {});
    const one = (set) => {
        const remove = button("Remove", () => askRemoval(page, set, remove, show), {
            label: `Remove ${plain(set.name)}`,
        });
        const facts = [
            cameras(set.cameras),
            set.origin && set.origin !== set.name ? plain(set.origin) : null,
        ];
        facts.push(`added ${day(set.imported).replace(/^(To|Yester)day$/, (word) => word.toLowerCase())}`);
        return row(h("bdi", plain(set.name)), facts.filter(Boolean).join(", "), remove);
    };
    if (!page.app.away) show();
    return h(
        "div",
        { class: "known" },
        row(
            "Known cameras",
            "Cameras that others have mapped, from a file of DeFlock or OpenStreetMap (GeoJSON or OSM XML). " +
                "Nothing is fetched.",
            add,
            file,
        ),
        sets,
    );
}

function bring(page, file) {
    checkSize(file);
    return page.hub.knownSets.add(setName(file.name), file);
}

/// Says what a set has; what could not be used with its line and reason, each reason once.
function told(file, set, show) {
    const left = set.refused ? ` ${counted(set.refused, "entry", "entries")} could not be used.` : "";
    const before = set.replaced === null ? "" : ` in the place of ${count(set.replaced)}`;
    const words = `${plain(set.name)}: ${cameras(set.cameras)}${before}.${left}`;
    if (!set.faults?.length && !set.note) toast(words);
    else {
        dialog(
            "Imported",
            h(
                "div",
                { class: "stack" },
                h("p", h("strong", plain(file.name))),
                h("p", words),
                set.note ? h("p", plain(set.note, 400)) : null,
                set.faults?.length ? faultList(set.faults, "entries") : null,
            ),
            { sheet: true },
        );
    }
    return show();
}

function askRemoval(page, set, remove, show) {
    dialog(
        `Remove ${plain(set.name)}?`,
        h(
            "p",
            { class: "second" },
            `Its ${cameras(set.cameras)} leave the map. The file brings them back.`,
        ),
        {
            actions: [["Keep it", "", () => {}], [
                "Remove",
                "danger",
                () => page.app.run(remove, () => page.hub.knownSets.remove(set.name), () => show()),
            ]],
        },
    );
}
