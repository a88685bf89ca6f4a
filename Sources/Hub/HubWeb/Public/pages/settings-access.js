// SPDX-License-Identifier: Apache-2.0
// The tokens that open a hub, in Settings, Access: who they are for, what they let do, a new one, and none any more.
import { button, copy } from "../controls.js";
import { fill, h } from "../dom.js";
import { dialog, toast } from "../overlays.js";
import { age, counted, day, plain } from "../text.js";
import { parted, row, select } from "./settings-rows.js";

const roles = {
    read: "Sees everything",
    home: "Sees everything, changes lamps and bulbs",
    admin: "May do everything",
};

/// A block that asks the hub for its tokens and holds a row for each.
export function tokenRows(page) {
    const block = h("div", { class: "tokens" });
    const show = () =>
        page.hub.tokens().then(
            ({ items }) =>
                fill(block, [items.map((one) => tokenRow(page, one, items, show)), newRow(page, show)]),
            (error) => error.status === 403 ? lesser(page, block) : null,
        );
    if (!page.app.away) show();
    return parted(block);
}

/// What somebody sees whose own token does not open the list.
function lesser(page, block) {
    return page.hub.session().then(
        ({ role }) =>
            fill(
                block,
                row(
                    "Your token",
                    `${roles[role] ?? ""}. Only someone who may do everything can make tokens.`,
                ),
            ),
        () => {},
    );
}

function tokenRow(page, token, all, show) {
    const name = plain(token.name);
    const isLast = token.role === "admin" && all.filter((one) => one.role === "admin").length === 1;
    const revoke = button("Revoke", () => ask(page, token, name, revoke, show), { label: `Revoke ${name}` });
    return row(
        h("bdi", name),
        `${roles[token.role]}. ${made(token.made)}${used(token, page.app.time)}`,
        isLast ? null : revoke,
    );
}

function made(time) {
    const word = day(time);
    return /^(To|Yester)day$/.test(word) ? `Made ${word.toLowerCase()}` : `Made on ${word}`;
}

function used(token, now) {
    const browsers = token.sessions ? `, ${counted(token.sessions, "browser")} signed in` : "";
    if (!token.used) return `, never used${browsers}`;
    const last = age(token.used, now).replace(/(s|min)$/, "$1 ago").replace("Now", "now");
    return `, used ${last}${browsers}`;
}

function newRow(page, show) {
    const make = button("Make a token", () => askForToken(page, show));
    return row(
        "Another token",
        "For a person or a program, with the rights that you choose. You see it only once.",
        make,
    );
}

function askForToken(page, show) {
    const name = h("input", { class: "field", maxlength: 40, autocomplete: "off" });
    const role = select("What it allows", roles, "read", () => {});
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    dialog(
        "Make a token",
        h(
            "div",
            { class: "stack" },
            h("label", { class: "labelled" }, "Who or what it is for", name),
            h("label", { class: "labelled" }, "What it allows", role),
            h(
                "p",
                { class: "hint" },
                "A token of the same name stops working, and everyone signed in with it is signed out.",
            ),
            refused,
        ),
        {
            sheet: true,
            actions: [[
                "Make it",
                "main",
                () =>
                    page.hub.makeToken({ name: name.value, role: role.value }).then(
                        (answer) => {
                            showToken(answer.token, name.value.trim());
                            return show();
                        },
                        (error) => {
                            refused.hidden = false;
                            refused.textContent = error.message;
                            name.focus();
                            return false;
                        },
                    ),
            ]],
        },
    );
    name.focus();
}

function showToken(token, name) {
    dialog(
        "The new token",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                "For ",
                h("bdi", plain(name)),
                ". Write it down now: the hub keeps only a hash of it.",
            ),
            h("code", { class: "octets token" }, token),
        ),
        {
            actions: [["Copy", "", () => {
                copy(token);
                return false;
            }], ["Done", "main", () => {}]],
        },
    );
}

function ask(page, token, name, button, show) {
    dialog(
        "Revoke this token?",
        h(
            "p",
            { class: "second" },
            h("bdi", name),
            token.sessions
                ? ` stops working, and ${counted(token.sessions, "browser")} is signed out.`
                : " stops working.",
        ),
        {
            actions: [["Keep it", "", () => {}], [
                "Revoke",
                "danger",
                () =>
                    page.app.run(button, () => page.hub.revokeToken(token.id), () => {
                        toast(`${name} stops working.`);
                        return show();
                    }),
            ]],
        },
    );
}
