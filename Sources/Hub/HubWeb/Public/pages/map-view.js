// SPDX-License-Identifier: Apache-2.0
// The map itself: Leaflet, tiles if there are any, what is in view, and the scale.
import { scaleOf } from "./map-scale.js";
import { h } from "../dom.js";

// The first is looked for from here, the second from the page.
const script = "../leaflet/leaflet.esm.min.js", styles = "leaflet/leaflet.css";
const farthest = 85.0511;
let loading, attempts = 0;

/// Leaflet, of the hub's system or with the pages that need no hub; fetched when a map is wanted first.
export function loadLeaflet() {
    // A module that could not be had is had again under another address only.
    const address = attempts ? `${script}?${attempts}` : script;
    loading ??= Promise.all([import(address), loadStyles()]).then(([leaflet]) => leaflet);
    loading.catch(() => {
        loading = null;
        attempts += 1;
    });
    return loading;
}

function loadStyles() {
    return new Promise((done, failed) => {
        const link = h("link", { rel: "stylesheet", href: styles, onload: done, onerror: failed });
        // Before the styles of the pages, which have the last word.
        document.head.prepend(link);
    });
}

export const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const wrapped = (degrees) => ((degrees + 180) % 360 + 360) % 360 - 180;
const rounded = (degrees) => Math.round(degrees * 1e6) / 1e6;

/// Pixels that a metre takes at a latitude and zoom.
export const pixelsOfMetre = (latitude, zoom) =>
    256 * 2 ** zoom /
    (2 * Math.PI * 6378137 * Math.cos(Math.min(farthest, Math.abs(latitude)) * Math.PI / 180));

/// The degrees south, west, north and east of Leaflet's bounds; over the date line west is more than east.
export function boxOf(bounds) {
    const west = bounds.getWest(), east = bounds.getEast();
    const all = east - west >= 360;
    return {
        south: bounds.getSouth() <= -farthest ? -90 : rounded(bounds.getSouth()),
        west: all ? -180 : rounded(wrapped(west)),
        north: bounds.getNorth() >= farthest ? 90 : rounded(bounds.getNorth()),
        east: all ? 180 : rounded(wrapped(east)),
    };
}

/// The same as the hub takes it.
export const boxText = ({ west, south, east, north }) => [west, south, east, north].join(",");

export class MapView {
    /// `insets()` are the pixels that lie under panels: {left, top, right, bottom}.
    constructor(leaflet, element, insets) {
        this.leaflet = leaflet;
        this.element = element;
        this.insets = insets;
        const moves = !wantsNoMotion();
        this.map = leaflet.map(element, {
            attributionControl: false,
            zoomControl: false,
            worldCopyJump: true,
            minZoom: 1,
            maxZoom: 20,
            maxBounds: [[-farthest, -720], [farthest, 720]],
            maxBoundsViscosity: 1,
            inertia: moves,
            zoomAnimation: moves,
            fadeAnimation: moves,
            keyboardPanDelta: 120,
            wheelPxPerZoomLevel: 90,
        });
        this.map.getPane("markerPane").setAttribute("aria-hidden", "true");
        // A map whose place changes its size is drawn anew at the same centre.
        this.watcher = new ResizeObserver(() =>
            this.map.invalidateSize({ pan: false, debounceMoveend: true })
        );
        this.watcher.observe(element);
    }

    close() {
        this.watcher.disconnect();
        // A size or a move that is still under way says no more.
        this.map.stop();
        this.map.off();
        this.map.remove();
    }

    get zoom() {
        return Math.round(this.map.getZoom());
    }

    /// What is asked of the hub: the view and a fifth more on each side, so that moving shows no bare edge.
    get box() {
        return boxOf(this.map.getBounds().pad(0.2));
    }

    /// The longitude of the copy of the world that is in view.
    near(longitude) {
        return longitude + 360 * Math.round((this.map.getCenter().lng - longitude) / 360);
    }
    at({ latitude, longitude }) {
        return this.leaflet.latLng(latitude, this.near(longitude));
    }
    /// In pixels, from the same corner for all.
    point(item) {
        return this.map.latLngToLayerPoint(this.at(item));
    }

    /// What is in view, as Leaflet's bounds: all beside a panel; what a sheet covers for a while is in view, too.
    get open() {
        const { left } = this.insets(), { x, y } = this.map.getSize();
        const corner = (one, other) => this.map.containerPointToLatLng([one, other]);
        return this.leaflet.latLngBounds(corner(left, y), corner(Math.max(left + 1, x), 0));
    }

    /// Shows a box of degrees.
    fit({ south, west, north, east }, most = 17) {
        const { left, top, right, bottom } = this.insets();
        const end = east < west ? east + 360 : east;
        this.map.fitBounds([[south, west], [north, end]], {
            paddingTopLeft: [left + 40, top + 40],
            paddingBottomRight: [right + 40, bottom + 40],
            maxZoom: most,
            animate: !wantsNoMotion(),
        });
    }

    /// Whether a cluster comes apart when it is zoomed into.
    opens({ south, west, north, east }, most = 19) {
        if (this.map.getZoom() >= most) return false;
        const corner = (latitude, longitude) => this.map.project([latitude, longitude], most);
        return corner(north, west).distanceTo(corner(south, east < west ? east + 360 : east)) > 44;
    }

    /// Goes to a place that is far off, so that its surroundings are seen.
    approach(item) {
        if (this.map.getBounds().pad(1).contains(this.at(item))) return;
        this.centre(item, Math.max(16, this.map.getZoom()));
    }

    /// Moves as little as it must for a place to be seen, with so many pixels beside and above it.
    reveal(item, { beside = 60, above = 60 } = {}) {
        const { left, top, right, bottom } = this.insets();
        this.map.panInside(this.at(item), {
            paddingTopLeft: [left + beside, top + above],
            paddingBottomRight: [right + Math.max(60, beside), bottom + 60],
            animate: !wantsNoMotion(),
        });
    }

    /// Puts a place into the middle of the open part.
    centre(item, zoom = this.map.getZoom()) {
        const { left, top, right, bottom } = this.insets();
        const aside = [(right - left) / 2, (bottom - top) / 2];
        const point = this.map.project(this.at(item), zoom).add(aside);
        // Over what is far away nothing glides: whatever stops it midway, as a press does, would leave the map there.
        this.map.setView(this.map.unproject(point, zoom), zoom, wantsNoMotion() ? { animate: false } : {});
    }

    // MARK: Tiles

    /// Lays tiles under everything: of a server, of the hub's file, or none as `wanted` in the settings.
    ///
    /// `failed` is told how many came and how many did not.
    showTiles(wanted, file, failed) {
        const shape = JSON.stringify([wanted, file]);
        if (shape === this.tileShape) return;
        this.tileShape = shape;
        this.tiles?.remove();
        this.tiles = null;
        const template = tileTemplate(wanted, file);
        this.element.classList.toggle("has-tiles", Boolean(template));
        if (!template) return;
        const numbers = { came: 0, lost: 0 };
        const Tiles = this.leaflet.GridLayer.extend({
            createTile({ x, y, z }, done) {
                const tile = h("img", { alt: "", decoding: "async", draggable: "false" });
                tile.onload = () => {
                    numbers.came += 1;
                    failed(numbers);
                    done(null, tile);
                };
                // Where there is none the ground is seen; one that breaks off is no fault of the page.
                tile.onerror = () => {
                    numbers.lost += 1;
                    failed(numbers);
                    done(null, tile);
                };
                tile.src = template(x, y, z);
                return tile;
            },
        });
        const { minimum_zoom, maximum_zoom, bounds } = wanted.tiles === "file" ? file : {};
        this.tiles = new Tiles({
            minNativeZoom: minimum_zoom ?? 0,
            maxNativeZoom: maximum_zoom ?? 19,
            bounds: bounds ? [[bounds.south, bounds.west], [bounds.north, bounds.east]] : undefined,
            className: "map-tiles",
        }).addTo(this.map);
    }

    // MARK: Scale

    /// What the scale says: {pixels, words}.
    scale(units, most = 96) {
        return scaleOf(pixelsOfMetre(this.map.getCenter().lat, this.map.getZoom()), units, most);
    }
}

/// Makes the address of a tile; null without tiles.
export function tileTemplate({ tiles, server }, file) {
    if (tiles === "file" && file) return (x, y, z) => `/api/v1/tiles/${z}/${x}/${y}`;
    if (tiles !== "server" || !/^https?:\/\//.test(server ?? "")) return null;
    const fine = devicePixelRatio > 1 ? "@2x" : "";
    return (x, y, z) =>
        server.replace(
            /\{(z|x|y|-y|s|r)\}/g,
            (_, name) => ({ z, x, y, "-y": 2 ** z - 1 - y, s: "abc"[(x + y) % 3], r: fine })[name],
        );
}
