// SPDX-License-Identifier: Apache-2.0
// The group of Settings about the map: whether its ground comes from a server, from a file, or is left plain.
import { h, mark } from "../dom.js";
import { button } from "../controls.js";
import { plain } from "../text.js";
import { row, rows, select } from "./settings-rows.js";
import { dialog } from "../overlays.js";
import { knownRows } from "./settings-known.js";

export const grounds = {
    none: "Plain, nothing is fetched",
    server: "A map server",
    file: "A file of the hub",
};
const nothing = { tiles: "none", server: "", attribution: "" };

/// The host of a map server, as a person knows it.
function hostOf(server) {
    return /^https?:\/\/([^/?#]+)/.exec(server ?? "")?.[1].replace("{s}.", "") ?? "";
}

export function mapGroup(page) {
    const map = page.settings.map ?? nothing, file = page.hub.state.hub.map_file;
    const { transport } = page.hub;
    // Nothing is chosen where it would be forgotten.
    if (transport.forgets) {
        return rows(row("Map background", `${grounds.none}. ${transport.words.ground}`), knownRows(page));
    }
    const offered = { none: grounds.none, server: grounds.server };
    if (file || map.tiles === "file") offered.file = grounds.file;
    const choose = (tiles) => tiles === "server" ? askServer(page, map) : page.change({ map: { tiles } });
    return rows(
        row(
            "Map background",
            map.tiles === "server"
                ? "The server learns which part of the map you look at"
                : file
                ? "Nothing leaves this machine"
                : transport.words.ground,
            select("Map background", offered, map.tiles, choose),
        ),
        map.tiles === "server"
            ? row(
                "Map server",
                h("bdi", { class: "octets" }, plain(map.server)),
                button("Change", () => askServer(page, map), { label: "Change the map server" }),
            )
            : null,
        file
            ? row(
                "Map file",
                h("bdi", plain(file.name)),
                h("span", { class: "second" }, `Zoom ${file.minimum_zoom} to ${file.maximum_zoom}`),
            )
            : map.tiles === "file"
            ? row("Map file", "The hub was started without one, so the background is plain.")
            : null,
        knownRows(page),
    );
}

/// What the phone's list of groups says.
export function groundWords({ tiles, server } = nothing, file) {
    if (tiles === "server") return plain(hostOf(server));
    return tiles === "file" && file ? plain(file.name) : "Plain";
}

function askServer(page, map) {
    const field = (label, value, placeholder, most) =>
        h("input", { class: "field", "aria-label": label, value: value ?? "", placeholder, maxlength: most });
    const address = field("Address of the server", map.server, "https://tiles.example/{z}/{x}/{y}.png", 400);
    const thanks = field("Credit", map.attribution, "© OpenStreetMap contributors", 200);
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    address.inputMode = "url";
    dialog(
        "A map server",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                "Every browser that opens the map fetches its pictures there, so the server learns which part is " +
                    "looked at.",
                page.hub.transport.words.again ? ` ${page.hub.transport.words.again}` : null,
            ),
            h("label", "Address, with {z}, {x} and {y}", address),
            refused,
            h("label", "Credit, as the server asks for it", thanks),
        ),
        {
            sheet: true,
            closed: () => page.refresh(true),
            actions: [["Use this server", "main", async () => {
                const server = address.value.trim();
                const fits = hostOf(server) && ["{z}", "{x}"].every((part) => server.includes(part)) &&
                    /\{-?y\}/.test(server);
                mark(address, "aria-invalid", fits ? null : "true");
                refused.hidden = Boolean(fits);
                if (!fits) {
                    refused.textContent =
                        "It begins with https:// and has {z}, {x} and {y} where the numbers of a picture belong.";
                    address.focus();
                    return false;
                }
                await page.change({ map: { tiles: "server", server, attribution: thanks.value.trim() } });
                // The browser allows a server only to a page that was loaded after it was chosen.
                if (page.settings.map?.server === server && !page.app.away) page.hub.transport.reload();
            }]],
        },
    );
}
