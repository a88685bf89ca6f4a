// The export of what the History shows.
import { h } from "../dom.js";
import { symbol } from "../marks.js";
import { dialog } from "../overlays.js";
import { counted } from "../text.js";

/// Offers a file of what a filter lets through, in each format; `words` say what that is.
export function offerExport(hub, filter, words = "Exactly what the list shows.") {
    const number = h("strong");
    hub.detections({ ...filter, limit: 1 }).then(
        ({ total }) => number.append(`${counted(total, "detection")}. `),
        () => {},
    );
    const formats = [
        ["csv", "CSV, for a spreadsheet"],
        ["json", "JSON, everything"],
        ["geojson", "GeoJSON, for a map"],
        ["gpx", "GPX, for navigation"],
        ["kml", "KML, for Google Earth"],
        ["wigle.csv", "WiGLE, for wigle.net"],
    ];
    dialog(
        "Export",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                number,
                `${words} GeoJSON, GPX, KML and WiGLE leave out what has no place; WiGLE also what has no address or no known radio.`,
            ),
            h(
                "div",
                { class: "formats" },
                formats.map(([format, word]) =>
                    h(
                        "a",
                        { class: "button", ...hub.exportFile(format, filter) },
                        symbol("download", 16),
                        word,
                    )
                ),
            ),
        ),
        { sheet: true },
    );
}
