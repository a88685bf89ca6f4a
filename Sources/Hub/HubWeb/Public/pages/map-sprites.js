// SPDX-License-Identifier: Apache-2.0
// Pins and clusters as pictures on the canvas: where there are more than elements can be moved at 60 frames.
import { shapes, types } from "../marks.js";
import { shortCount } from "./map-pictures.js";

const pinSize = 30, room = 36;

/// Draws the notation of the guide: P path, C circle, R rectangle; filled, stroked or both.
function drawFigures(context, notation, { fill = false, stroke = true }) {
    for (const part of notation.split("; ")) {
        const [kind, ...rest] = part.replace("•", "").trim().split(" ");
        const [x, y, a, b, radius] = rest.map(Number), path = new Path2D(kind === "P" ? rest.join(" ") : "");
        if (kind === "C") path.arc(x, y, a, 0, 2 * Math.PI);
        else if (kind === "R") path.roundRect(x, y, a, b, radius ?? 0);
        if (fill) context.fill(path);
        if (stroke) context.stroke(path);
    }
}

/// Pictures of pins in the colours of a palette, each made once.
export class Sprites {
    constructor(palette, ratio) {
        Object.assign(this, { palette, ratio });
        this.made = new Map();
    }

    pin(type) {
        const known = types[type] ? type : "unknown";
        if (!this.made.has(known)) this.made.set(known, this.make(known));
        return this.made.get(known);
    }

    make(type) {
        const [, , shape, drawing] = types[type], [outline, width, scale, lift] = shapes[shape];
        const { palette, ratio } = this, side = room * ratio;
        const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
        const context = canvas.getContext("2d"), isRing = shape === "ring";
        context.scale(ratio * pinSize / 32, ratio * pinSize / 32);
        const edge = (room * 32 / pinSize - 32) / 2;
        context.translate(edge, edge);
        context.lineJoin = context.lineCap = "round";
        context.lineWidth = width;
        if (!isRing) {
            context.save();
            context.translate(0, 1.2);
            context.fillStyle = context.strokeStyle = "rgba(16, 20, 28, .2)";
            drawFigures(context, outline, { fill: true });
            context.restore();
        }
        context.strokeStyle = palette[type];
        context.fillStyle = isRing ? palette.surface : palette[type];
        if (isRing) context.setLineDash([5.6, 4.296]);
        drawFigures(context, outline, { fill: true });
        context.setLineDash([]);
        context.translate(16 - 8 * scale, 16 - 8 * scale + lift);
        context.scale(scale, scale);
        context.lineWidth = 1.5;
        context.strokeStyle = isRing ? palette[type] : palette.glyph;
        drawFigures(context, drawing, {});
        return canvas;
    }

    /// Draws one feature with its middle at a point.
    draw(context, item, { x, y }) {
        if (item.kind === "cluster") return this.drawCluster(context, item, x, y);
        context.globalAlpha = item.mine || item.muted || item.false_alarm ? 0.62 : 1;
        const wide = item.isSmall ? room * 0.4 : room;
        context.drawImage(this.pin(item.type), x - wide / 2, y - wide / 2, wide, wide);
        context.globalAlpha = 1;
    }

    drawCluster(context, { count, types: shares }, x, y) {
        const { palette } = this, size = count < 10 ? 36 : count < 100 ? 44 : 52;
        const whole = shares.reduce((sum, one) => sum + one.count, 0) || 1;
        context.beginPath();
        context.arc(x, y, size / 2, 0, 2 * Math.PI);
        context.fillStyle = palette.surface;
        context.fill();
        context.lineWidth = 5;
        context.lineCap = "butt";
        let from = -Math.PI / 2;
        for (const { type, count: part } of shares) {
            const to = from + 2 * Math.PI * part / whole;
            context.beginPath();
            context.arc(x, y, size / 2 - 2.5, from, Math.max(from + 0.03, to - 0.08));
            context.strokeStyle = palette[type] ?? palette.unknown;
            context.stroke();
            from = to;
        }
        context.lineCap = "round";
        context.fillStyle = palette.ink;
        context.font = `600 13px ${palette.font}`;
        context.textAlign = "center";
        context.fillText(shortCount(count), x, y + 4.5);
    }
}
