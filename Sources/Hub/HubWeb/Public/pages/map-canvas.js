// SPDX-License-Identifier: Apache-2.0
// What lies under the pins, on one canvas: graticule, ways, heat, routes, error circles, known cameras.
import { h } from "../dom.js";
import { types } from "../marks.js";
import { Sprites } from "./map-sprites.js";
import { pixelsOfMetre } from "./map-view.js";

const padding = 0.3;
const steps = [90, 45, 30, 20, 10, 5, 2, 1];
for (let power = 0.1; power > 1e-6; power /= 10) steps.push(5 * power, 2 * power, power);

/// The smallest step of a graticule that is at least so many pixels wide.
export function graticuleStep(pixelsOfDegree, least = 150) {
    return [...steps].reverse().find((step) => step * pixelsOfDegree >= least) ?? 90;
}

/// 52.106 N, with as many digits as a step needs.
export function degreeWords(value, step, [above, below]) {
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const text = Math.abs(value).toFixed(digits);
    return Number(text) ? `${text} ${value < 0 ? below : above}` : "0";
}

/// The colours of the theme that is shown, as a canvas takes them.
function readPalette() {
    const probe = h("span", { class: "map-probe", hidden: true });
    document.body.append(probe);
    const read = (name) => {
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color;
    };
    const names = [
        "glyph",
        "ink",
        "map-line",
        "map-been",
        "map-been-edge",
        "map-route",
        "surface",
        "flame",
        "ink2",
        "map",
    ];
    const found = Object.fromEntries(names.map((name) => [name, read(name)]));
    for (const type of Object.keys(types)) found[type] = read(`type-${type.replaceAll("_", "-")}`);
    found.font = getComputedStyle(document.body).fontFamily;
    probe.remove();
    return found;
}

/// The layer for a view. `draw(content)` shows {routes, circles, known, heat, graticule, sprites}.
export function canvasLayer({ leaflet, near }) {
    const Drawing = leaflet.Renderer.extend({
        options: { padding, pane: "overlayPane" },

        _initContainer() {
            this._container = h("canvas", { class: "map-canvas", "aria-hidden": "true" });
            this.context = this._container.getContext("2d");
            this.content ??= {};
        },
        _destroyContainer() {
            this._container.remove();
            this._container = null;
        },
        _update() {
            if (this._map._animatingZoom && this._bounds) return;
            leaflet.Renderer.prototype._update.call(this);
            const ratio = Math.min(2, devicePixelRatio),
                { min } = this._bounds,
                size = this._bounds.getSize();
            leaflet.DomUtil.setPosition(this._container, min);
            this._container.width = ratio * size.x;
            this._container.height = ratio * size.y;
            this._container.style.width = `${size.x}px`;
            this._container.style.height = `${size.y}px`;
            this.context.setTransform(ratio, 0, 0, ratio, -ratio * min.x, -ratio * min.y);
            this.paint();
            this.fire("update");
        },

        draw(content) {
            Object.assign(this.content, content);
            if (this._map && this._bounds && !this._map._animatingZoom) this.paint();
        },

        point(latitude, longitude) {
            return this._map.latLngToLayerPoint([latitude, longitude]);
        },

        paint() {
            const { content, context } = this, { min } = this._bounds, size = this._bounds.getSize();
            const colors = readPalette(), shape = JSON.stringify(colors);
            if (shape !== this.shape) {
                this.shape = shape;
                this.colors = colors;
                this.sprites = new Sprites(colors, Math.min(2, devicePixelRatio));
            }
            context.clearRect(min.x, min.y, size.x, size.y);
            context.lineJoin = context.lineCap = "round";
            if (content.graticule) this.paintGraticule();
            const routes = content.routes ?? [], last = content.route === false ? null : routes.at(-1);
            if (content.been !== false) this.paintWays(routes.filter((one) => one !== last));
            if (content.heat?.length) this.paintHeat(content.heat);
            for (const circle of content.circles ?? []) this.paintCircle(circle);
            if (last) this.paintRoute(this.line(last.points));
            this.paintKnown();
            this.paintSprites();
        },

        /// Points on the canvas; a way over the date line goes on beyond it.
        line(points) {
            let before = null, shift = 0;
            return points.map(([latitude, longitude]) => {
                if (before === null) shift = near(longitude) - longitude;
                else if (longitude - before > 180) shift -= 360;
                else if (longitude - before < -180) shift += 360;
                before = longitude;
                return this.point(latitude, longitude + shift);
            });
        },
        trace(points) {
            this.context.beginPath();
            points.forEach(({ x, y }, index) =>
                index ? this.context.lineTo(x, y) : this.context.moveTo(x, y)
            );
        },
        stroke(color, width) {
            this.context.strokeStyle = color;
            this.context.lineWidth = width;
            this.context.stroke();
        },

        paintGraticule() {
            const { context, colors, _map: map } = this, { min, max } = this._bounds;
            const { lngs, lats } = graticuleOf(map, min, max);
            context.beginPath();
            for (const { at } of lngs) {
                const x = Math.round(this.point(0, at).x) + 0.5;
                context.moveTo(x, min.y);
                context.lineTo(x, max.y);
            }
            for (const { at } of lats) {
                const y = Math.round(this.point(at, 0).y) + 0.5;
                context.moveTo(min.x, y);
                context.lineTo(max.x, y);
            }
            this.stroke(colors["map-line"], 1);
        },

        /// Ways driven before; one that was driven three times or more is wide.
        paintWays(routes) {
            const lines = routes.map((one) => this.line(one.points)), often = new Map();
            const cell = (a, b) => `${Math.round((a.x + b.x) / 48)} ${Math.round((a.y + b.y) / 48)}`;
            for (const line of lines) {
                const own = new Set(line.slice(1).map((point, index) => cell(line[index], point)));
                for (const key of own) often.set(key, (often.get(key) ?? 0) + 1);
            }
            const wide = (line, index) => often.get(cell(line[index], line[index + 1])) >= 3;
            for (const [color, more] of [["map-been-edge", 2], ["map-been", 0]]) {
                for (const line of lines) {
                    for (let from = 0; from < line.length - 1;) {
                        let to = from + 1;
                        while (to < line.length - 1 && wide(line, to) === wide(line, from)) to += 1;
                        this.trace(line.slice(from, to + 1));
                        this.stroke(this.colors[color], (wide(line, from) ? 9 : 5.5) + more);
                        from = to;
                    }
                }
            }
        },

        paintRoute(line) {
            const { context, colors } = this, { min, max } = this._bounds;
            this.trace(line);
            this.stroke(colors.surface, 8);
            this.stroke(colors["map-route"], 4.5);
            let next = 90;
            for (let index = 1; index < line.length; index += 1) {
                const from = line[index - 1], to = line[index];
                const length = Math.hypot(to.x - from.x, to.y - from.y);
                if (length < 1) continue;
                const x = (to.x - from.x) / length, y = (to.y - from.y) / length;
                let along = next;
                for (; along < length; along += 180) {
                    const at = { x: from.x + x * along, y: from.y + y * along };
                    if (at.x < min.x || at.x > max.x || at.y < min.y || at.y > max.y) continue;
                    context.beginPath();
                    context.moveTo(at.x - 2.5 * x - 4 * y, at.y - 2.5 * y + 4 * x);
                    context.lineTo(at.x + 2.5 * x, at.y + 2.5 * y);
                    context.lineTo(at.x - 2.5 * x + 4 * y, at.y - 2.5 * y - 4 * x);
                    this.stroke("#FFF", 1.8);
                }
                next = along - length;
            }
        },

        paintHeat(heat) {
            const { context, colors } = this, size = this._bounds.getSize();
            const most = Math.log1p(Math.max(...heat.map((one) => one[2])));
            const spot = glow(colors.flame, 72);
            const sheet = Object.assign(document.createElement("canvas"), {
                width: Math.ceil(size.x / 2),
                height: Math.ceil(size.y / 2),
            });
            const brush = sheet.getContext("2d");
            brush.scale(0.5, 0.5);
            brush.translate(-this._bounds.min.x, -this._bounds.min.y);
            for (const [latitude, longitude, count] of heat) {
                const { x, y } = this.point(latitude, near(longitude));
                brush.globalAlpha = 0.45 + 0.55 * Math.log1p(count) / most;
                brush.drawImage(spot, x - 72, y - 72);
            }
            context.globalAlpha = 0.5;
            context.drawImage(sheet, this._bounds.min.x, this._bounds.min.y, size.x, size.y);
            context.globalAlpha = 1;
        },

        paintCircle({ latitude, longitude, radius, type, isChosen }) {
            const { context, colors } = this, color = colors[type] ?? colors.unknown;
            const { x, y } = this.point(latitude, near(longitude));
            context.beginPath();
            context.arc(x, y, radius * pixelsOfMetre(latitude, this._map.getZoom()), 0, 2 * Math.PI);
            context.globalAlpha = isChosen ? 0.15 : 0.07;
            context.fillStyle = color;
            context.fill();
            context.globalAlpha = isChosen ? 1 : 0.5;
            this.stroke(color, isChosen ? 1.5 : 1);
            context.globalAlpha = 1;
        },

        paintSprites() {
            this.painted = (this.content.sprites ?? []).map((item) => {
                const point = this.point(item.latitude, near(item.longitude));
                this.sprites.draw(this.context, item, point);
                return { item, point };
            }).reverse();
        },
        /// The feature that was painted at a point of the layer; null if there is none.
        at(point, reach) {
            return this.painted?.find((one) => one.point.distanceTo(point) < reach)?.item ?? null;
        },

        paintKnown() {
            const { context, colors } = this;
            for (const { latitude, longitude, directions, isChosen } of this.content.known ?? []) {
                const { x, y } = this.point(latitude, near(longitude)), half = isChosen ? 9 : 6;
                for (const direction of directions ?? []) {
                    const angle = (direction - 90) * Math.PI / 180;
                    context.beginPath();
                    context.moveTo(x + 6 * Math.cos(angle), y + 6 * Math.sin(angle));
                    context.lineTo(x + 13 * Math.cos(angle), y + 13 * Math.sin(angle));
                    this.stroke(colors.ink2, 1.5);
                }
                context.beginPath();
                context.moveTo(x, y - half);
                for (const [dx, dy] of [[half, 0], [0, half], [-half, 0]]) context.lineTo(x + dx, y + dy);
                context.closePath();
                context.fillStyle = colors.surface;
                context.fill();
                this.stroke(colors.ink2, isChosen ? 2.5 : 1.5);
            }
        },
    });
    return new Drawing();
}

function glow(color, radius) {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * radius, height: 2 * radius });
    const context = canvas.getContext("2d");
    const light = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
    for (const [at, strength] of [[0, 1], [0.35, 0.55], [0.7, 0.14], [1, 0]]) {
        light.addColorStop(
            at,
            color.replace(
                /^rgb\((.*)\)$/,
                (_, parts) => `rgba(${parts.split(/[ ,]+/).slice(0, 3).join(", ")}, ${strength})`,
            ),
        );
    }
    context.fillStyle = light;
    context.fillRect(0, 0, 2 * radius, 2 * radius);
    return canvas;
}

/// The lines of the graticule between two points of a layer: {lats, lngs}, each {at, words}.
export function graticuleOf(map, min, max) {
    const first = map.layerPointToLatLng(min), last = map.layerPointToLatLng(max);
    const across = Math.max(1, max.x - min.x) / Math.max(1e-9, last.lng - first.lng);
    const down = Math.max(1, max.y - min.y) / Math.max(1e-9, first.lat - last.lat);
    const lines = (from, to, step, words) => {
        const found = [];
        for (let number = Math.ceil(from / step); number * step <= to && found.length < 60; number += 1) {
            const at = number * step;
            found.push({ at, words: words(at, step) });
        }
        return found;
    };
    const east = (at, step) => degreeWords(((at + 180) % 360 + 360) % 360 - 180, step, ["E", "W"]);
    return {
        lngs: lines(first.lng, last.lng, graticuleStep(across), east),
        lats: lines(
            last.lat,
            first.lat,
            graticuleStep(down),
            (at, step) => degreeWords(at, step, ["N", "S"]),
        ),
    };
}
