// SPDX-License-Identifier: Apache-2.0
// Files of detections that somebody brings: chosen, or dropped on the list.
import { h } from "../dom.js";
import { button } from "../controls.js";
import { dialog } from "../overlays.js";
import { symbol } from "../marks.js";
import { count, counted, plain, size } from "../text.js";

const most = 134217728;

/// The button that asks for a file; files that are dropped on `element` are taken, too.
export function importing(page, element) {
    const input = h("input", {
        type: "file",
        hidden: true,
        "aria-label": "File of detections",
        onchange: () => {
            take(input.files[0]);
            input.value = "";
        },
    });
    const ask = button([symbol("upload", 18), h("span", "Import")], () => input.click(), {
        kind: "outlined import",
        label: "Import",
    });
    const take = (file) =>
        file && page.app.run(ask, () => bring(page.hub, file), (answer) => {
            tell(file, answer);
            page.search();
        });
    const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
    let depth = 0;
    const mark = (change) => element.classList.toggle("is-dropping", (depth = Math.max(0, change)) > 0);
    const when = (name, action) =>
        element.addEventListener(name, (event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            action(event);
        });
    when("dragenter", () => mark(depth + 1));
    when("dragover", (event) => {
        event.dataTransfer.dropEffect = page.app.away ? "none" : "copy";
    });
    when("dragleave", () => mark(depth - 1));
    when("drop", (event) => {
        mark(0);
        take(event.dataTransfer.files[0]);
    });
    return { button: ask, input, choose: () => input.click() };
}

/// Has a hub, or what stands in its place, take a file; the answer is what has become of it.
export function bring(hub, file) {
    if (!file.size) throw new Error(`${plain(file.name)} is empty. Choose a file that has detections.`);
    checkSize(file);
    return hub.importFile(file);
}

/// Refuses a file that is larger than any that is read; that is bounded there, too, and this saves the way.
export function checkSize(file) {
    if (file.size > most) {
        throw new Error(`${plain(file.name)} has ${size(file.size)}; at most 134 MB are read.`);
    }
}

/// Says what has become of a file; what could not be used with its line and reason.
export function tell(
    file,
    { imported, known, passed = 0, refused, drives = 0, faults = [], notes = [], broken },
) {
    const isNothing = !imported && !drives;
    const words = [
        isNothing && broken && !known ? null : counted(imported, "new detection"),
        known ? `${count(known)} known before` : null,
        drives ? counted(drives, "new drive") : null,
        passed ? `${count(passed)} of other kinds passed over` : null,
        refused ? `${count(refused)} that could not be used` : null,
    ];
    const all = [...faults, ...notes];
    dialog(
        isNothing ? "Nothing was imported" : "Imported",
        h(
            "div",
            { class: "stack" },
            h("p", h("strong", plain(file.name))),
            words.some(Boolean) ? h("p", words.filter(Boolean).join(", ")) : null,
            all.length ? faultList(all, "rows") : null,
            broken ? h("p", { class: "note warn" }, symbol("warn", 18), h("span", sentence(broken))) : null,
        ),
        { sheet: true },
    );
}

/// What could not be used: each reason once, with the first of its lines and how many `rows` it concerns.
export const faultList = (faults, rows) =>
    h(
        "ul",
        { class: "faults" },
        faults.map((fault) =>
            h("li", sentence(fault), fault.rows > 1 ? ` (${count(fault.rows)} ${rows})` : "")
        ),
    );

/// What is wrong, with its line where it has one.
function sentence({ line, reason }) {
    const words = plain(reason);
    return line > 0 ? `Line ${line}: ${words}` : words[0].toUpperCase() + words.slice(1);
}
