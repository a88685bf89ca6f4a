// SPDX-License-Identifier: Apache-2.0
// Map: where detections were received, by pins and clusters, with the ways driven and what others know.
import { fill, h, mark } from "../dom.js";
import { button, copy } from "../controls.js";
import { symbol, types } from "../marks.js";
import { counted, distance } from "../text.js";
import { followFinger } from "../overlays.js";
import { Filters } from "./history-filters.js";
import { calmed } from "./map-calm.js";
import { canvasLayer } from "./map-canvas.js";
import { MapBox } from "./map-box.js";
import { MapCard } from "./map-card.js";
import { MapData } from "./map-data.js";
import { featureLayer } from "./map-features.js";
import { drawFrame } from "./map-frame.js";
import { Layers } from "./map-layers.js";
import { linkOf, readCoordinates, readLink } from "./map-link.js";
import { Elsewhere, MapList } from "./map-list.js";
import { drawNote, drawPane, setPlain } from "./map-notes.js";
import { OwnPlace } from "./map-place.js";
import { loadLeaflet, MapView, wantsNoMotion } from "./map-view.js";

const small = matchMedia("(max-width: 1099px)"), phone = matchMedia("(max-width: 719px)");
// Where the map was left, for when it is opened again.
let left = null;

export function open(app, rest) {
    return new MapPage(app, rest);
}

class MapPage {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        this.chosen = null;
        app.main.className = "working";
        app.shell.classList.add("has-map");
        app.head("Map", "");
        const link = readLink(rest);
        if (link.chosen) app.chosen = link.chosen;
        fill(app.main, this.build());
        this.data = new MapData(this, () => this.show());
        this.ends = [
            ["detection", (event) => this.data.arrived(event)],
            ["detections_deleted", () => this.data.later()],
            ["detections_restored", () => this.data.later()],
            ["source_changed", (event) => this.data.changed(event.source)],
            ["state", () => this.view ? this.data.later(0) : this.begin(this.start)],
            ["hub_changed", () => this.place.draw()],
        ].map(([name, action]) => this.hub.on(name, action));
        this.onWidth = () => this.redraw();
        // The policy of a page that was loaded before a map server was chosen does not know it.
        this.onBlocked = ({ effectiveDirective }) => {
            if (effectiveDirective !== "img-src" || this.isBlocked) return;
            this.isBlocked = true;
            drawNote(this);
        };
        document.addEventListener("securitypolicyviolation", this.onBlocked);
        for (const query of [small, phone]) query.addEventListener("change", this.onWidth);
        this.begin(link);
    }

    close() {
        this.isClosed = true;
        for (const end of this.ends) end();
        document.removeEventListener("securitypolicyviolation", this.onBlocked);
        for (const query of [small, phone]) query.removeEventListener("change", this.onWidth);
        this.app.shell.classList.remove("has-map");
        this.data.stop();
        this.list.stop();
        this.view?.close();
    }

    build() {
        this.filters = new Filters(this.app, () => this.filtered(), {
            look: "map",
            label: "Search on the map",
            without: ["place"],
            entered: (text) => this.entered(text),
        });
        this.filters.element.append((this.there = new Elsewhere(this)).element);
        this.list = new MapList((row, wantsCard) => this.choose(row, { wantsCard, fromList: true }));
        this.boxing = button([symbol("box", 18), "Box to export"], () => this.box.start(), { kind: "small" });
        const link = button([symbol("link", 18), "Copy link to view"], () => this.copyLink(), {
            kind: "small",
        });
        const shut = button(symbol("close", 20), () => this.showList(false), {
            kind: "icon close on-small",
            label: "Close the list",
        });
        this.sidebar = h(
            "section",
            { class: "map-side", "aria-label": "In view" },
            shut,
            this.list.element,
            h("div", { class: "map-actions" }, this.boxing, link),
        );
        const tool = (drawn, label, action) => button(symbol(drawn), action, { kind: "tool-button", label });
        const layersButton = tool("layers", "Layers", () => this.layers.open());
        this.layers = new Layers(layersButton, () => this.data.later(0));
        this.listing = tool("list", "List of what is in view", () => this.showList());
        this.place = new OwnPlace(this, tool("place", "My place", () => this.place.press()));
        mark(this.listing, "aria-expanded", "false");
        this.stage = h("div", {
            class: "map-stage",
            role: "application",
            "aria-roledescription": "map",
            "aria-label": "Map. Arrow keys move it, plus and minus zoom. The list says what is in view.",
        });
        this.labels = h("div", { class: "map-labels", "aria-hidden": "true" });
        this.scale = h("div", { class: "map-scale" }, h("span"), h("i"));
        this.note = h("div", { class: "map-note", role: "status" });
        this.pane = h("div", { class: "map-pane", hidden: true });
        this.sheet = h("section", { class: "map-sheet", "aria-label": "Chosen", hidden: true });
        this.zooms = h(
            "div",
            { class: "map-zoom" },
            tool("plus", "Zoom in", () => this.view?.map.zoomIn()),
            tool("minus", "Zoom out", () => this.view?.map.zoomOut()),
        );
        this.whole = h(
            "div",
            { class: "map-page" },
            h("div", { class: "map-panel" }, this.filters.element, this.sidebar),
            this.stage,
            this.labels,
            this.pane,
            h("div", { class: "map-tools" }, layersButton, this.place.button, this.listing),
            this.layers.element,
            this.scale,
            this.note,
            this.zooms,
            this.sheet,
        );
        this.box = new MapBox(this);
        followFinger(this.sheet, () => this.choose(null));
        followFinger(this.sidebar, () => this.showList(false));
        return this.whole;
    }

    get isSmall() {
        return small.matches;
    }

    /// The pixels that panels cover.
    insets() {
        const outer = this.whole.getBoundingClientRect();
        const below = (element) => element.getBoundingClientRect().bottom - outer.top;
        if (!this.isSmall) {
            return {
                left: this.sidebar.getBoundingClientRect().right - outer.left,
                top: 0,
                right: 0,
                bottom: 0,
            };
        }
        const bottom = this.sheet.hidden ? 0 : this.sheet.offsetHeight;
        return { left: 0, top: below(this.filters.element), right: 0, bottom };
    }

    // MARK: The map

    async begin(link) {
        let leaflet;
        this.start = link;
        try {
            leaflet = await loadLeaflet();
        } catch {
            if (this.isClosed || this.view) return;
            setPlain(this, !this.app.away);
            drawPane(this, this.isPlain ? "missing" : "away");
            return this.data.later(0);
        }
        if (this.isClosed || this.view) return;
        setPlain(this, false);
        const view = this.view = new MapView(leaflet, this.stage, () => this.insets());
        const at = link.at ?? left, location = this.hub.state.hub.location;
        if (at) view.map.setView([at.latitude, at.longitude], at.zoom, { animate: false });
        else if (location.state === "fix") {
            view.map.setView([location.latitude, location.longitude], 16, { animate: false });
            view.centre(location, 16);
        } else {
            view.map.setView([20, 0], 2, { animate: false });
            this.wantsAll = true;
        }
        this.canvas = canvasLayer({ leaflet, near: (one) => view.near(one) }).addTo(view.map);
        this.features = featureLayer({ leaflet, at: (item) => view.at(item) }).addTo(view.map);
        this.card = new MapCard(this, view, this.sheet);
        if (link.source) this.data.wanted = link.source;
        view.map.on("move zoomend resize", () => this.drawFrame());
        view.map.on("moveend", () => this.moved());
        view.map.on("dragstart", () => this.place.follow(false));
        view.map.on("click", (event) => this.click(event));
        this.whole.addEventListener("pointerdown", (event) => {
            const inside = event.target.closest(".map-menu, .map-tools");
            if (this.layers.isOpen && !inside) this.layers.open(false);
        });
        this.keepLink();
        this.refresh();
        this.data.later(0);
    }

    moved() {
        this.keepLink();
        this.show();
        this.data.later(120);
    }

    drawFrame() {
        if (this.view) drawFrame(this);
    }

    click({ originalEvent, containerPoint, layerPoint }) {
        const reach = phone.matches ? 22 : 14;
        const item = this.features.at(originalEvent.target) ?? this.canvas.at(layerPoint, reach);
        if (item && item.kind !== "me") return this.choose(item);
        const camera = this.data.known.find((one) =>
            this.layers.on.known &&
            this.view.map.latLngToContainerPoint(this.view.at(one)).distanceTo(containerPoint) < reach
        );
        this.choose(camera ?? null);
    }

    // MARK: What is shown

    /// Draws what the hub has answered: map, list and card say the same.
    show() {
        if (this.isClosed) return;
        if (this.isPlain) return this.list.show(this.data);
        if (!this.canvas) return;
        const { on } = this.layers, { data } = this, seen = data.seen(this.view);
        const chosen = this.chosen && (data.find(this.chosen.key) ?? this.chosen);
        this.chosen = chosen;
        const pins = chosen?.kind === "pin" && !data.find(chosen.key) ? [...data.pins, chosen] : data.pins;
        const glowing = new Set(data.takeFresh()),
            isFirst = (one) => one.key === chosen?.key || glowing.has(one.key);
        const all = [...data.clusters, ...pins];
        const features = calmed(
            [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))],
            (one) => this.view.point(one),
            isFirst,
        );
        // Dots last: they are the first to do without an element.
        const sprites = this.features.set([
            ...this.place.items,
            ...features.filter(({ isSmall }) => !isSmall),
            ...features.filter(({ isSmall }) => isSmall),
        ]);
        this.features.choose(chosen?.key);
        this.canvas.draw({
            graticule: !this.stage.classList.contains("has-tiles"),
            routes: data.routes,
            route: on.route,
            been: on.been,
            heat: on.heat ? data.heat : [],
            sprites,
            known: on.known ? data.known.map((one) => ({ ...one, isChosen: one.key === chosen?.key })) : [],
            circles: on.circles
                ? features.filter(({ radius, isSmall }) => radius && !isSmall).map((pin) => ({
                    ...pin,
                    isChosen: pin.key === chosen?.key,
                }))
                : chosen?.radius
                ? [{ ...chosen, isChosen: true }]
                : [],
        });
        this.list.show(seen, chosen?.key);
        this.there.draw(seen);
        this.card.show(chosen, phone.matches);
        this.whole.classList.toggle("has-chosen", Boolean(chosen));
        this.features.pulse(glowing, wantsNoMotion() ? 4000 : 1600);
        drawNote(this);
        drawPane(this);
    }

    redraw() {
        this.drawFrame();
        this.showList(false);
        this.show();
    }

    refresh() {
        const { settings } = this.hub.state, away = this.app.away;
        this.boxing.disabled = away || !this.view;
        mark(this.filters.element, "inert", away ? true : null);
        if (!this.view || !settings) return;
        this.view.showTiles(settings.map ?? { tiles: "none" }, this.hub.state.hub.map_file, (numbers) => {
            this.tiles = numbers;
            drawNote(this);
        });
        this.filters.field.placeholder = phone.matches
            ? `Search ${counted(this.hub.state.hub.storage.sources, "source")}`
            : "Search sources or coordinates";
        this.drawFrame();
        this.show();
    }

    tick() {
        if (this.data.progress !== null) this.data.later(0);
    }

    /// Chooses a pin or a camera, zooms into a cluster, or lets go with null.
    choose(item, { wantsCard = false, fromList = false } = {}) {
        if (this.isPlain) {
            location.hash = `#/history/source/${item.id}`;
            return;
        }
        if (item?.kind === "cluster" && this.view.opens(item)) return this.view.fit(item, 19);
        const held = this.chosen && this.card.element.contains(document.activeElement);
        if (item && (fromList || phone.matches)) this.view.approach(item);
        this.chosen = item;
        if (item?.kind === "cluster") this.data.list(item);
        if (item && this.isSmall) this.showList(false);
        this.show();
        this.list.choosing(item?.key, Boolean(item));
        this.keepLink();
        if (item) {
            if (fromList || phone.matches) this.view.reveal(item, this.card.room);
            if (wantsCard) this.card.focus();
        } else if (held) (this.isSmall ? this.stage : this.list.list.element).focus();
    }

    showList(wanted = !this.isListing) {
        this.isListing = wanted && this.isSmall;
        this.whole.classList.toggle("is-listing", this.isListing);
        mark(this.listing, "aria-expanded", String(this.isListing));
        if (this.isListing) {
            this.choose(null);
            this.list.list.element.focus();
        } else if (this.isSmall && this.sidebar.contains(document.activeElement)) this.listing.focus();
        this.list.list.draw();
    }

    // MARK: Filters, keys, link

    filtered() {
        this.keepLink();
        this.data.later(0);
    }

    /// Coordinates that were typed are gone to, and so is the first source that is found elsewhere.
    entered(text) {
        const place = readCoordinates(text), [found] = this.data.elsewhere;
        if (!this.view) return;
        if (!place) return found && this.choose(found, { wantsCard: true, fromList: true });
        this.filters.chosen.text = this.filters.field.value = "";
        this.filters.update();
        // What was chosen is no longer what is looked at.
        this.choose(null);
        this.view.centre(place, Math.max(16, this.view.map.getZoom()));
        this.stage.focus();
    }

    arrival(event) {
        const name = types[event.type]?.[0] ?? "Unknown";
        this.app.announce(`${name} in view, ${distance(event.rssi).toLowerCase()}`);
    }

    keepLink() {
        if (!this.view) return;
        const { lat, lng } = this.view.map.getCenter().wrap();
        left = { latitude: lat, longitude: lng, zoom: this.view.zoom };
        const source = this.chosen?.kind === "pin" ? this.chosen.id : this.data.wanted;
        // Who is about to leave has an address already.
        if (!location.hash.startsWith("#/map")) return;
        globalThis.history.replaceState(null, "", linkOf({ ...left, source, chosen: this.app.chosen }));
    }

    copyLink() {
        this.keepLink();
        copy(
            location.href,
            "Link copied. It brings back this view.",
            "Copy it from the address bar instead.",
        );
    }

    turn(rest) {
        const link = readLink(rest);
        if (link.chosen) {
            this.app.chosen = link.chosen;
            this.filters.field.value = link.chosen.text;
            this.filters.draw();
        }
        if (!this.view) return;
        if (link.at) this.view.map.setView([link.at.latitude, link.at.longitude], link.at.zoom);
        this.data.wanted = link.source;
        this.data.later(0);
    }

    escape() {
        if (this.box.isOpen) this.box.stop();
        else if (this.layers.isOpen) this.layers.open(false);
        else if (this.chosen) this.choose(null);
        else if (this.isListing) this.showList(false);
    }
}
