// SPDX-License-Identifier: Apache-2.0

// supercluster.cjs: reads "longitude latitude" lines, then "west south east north zoom" lines after an empty one, and prints how long
// supercluster takes to build its index in memory and to answer each box. The module comes from npm where it is installed, else from
// the JavaScript that the Python package dash-leaflet carries (the argument). It says so where neither is there.
"use strict";

/** The class in a webpack chunk: its module runs with nothing behind what it imports, far enough to define the class. */
function bundled(path) {
  const chunk = {};
  new Function("self", require("node:fs").readFileSync(path, "utf8"))(chunk);
  const [[, modules]] = Object.values(chunk)[0];
  const nothing = new Proxy(function () {}, { get: () => nothing, apply: () => nothing, construct: () => nothing });
  const found = {};
  for (const text of Object.values(modules).map(String).filter((text) => text.includes("getClusterExpansionZoom"))) {
    const open = text.replace(/(class \w+\{)(constructor\(\w+\)\{this\.options=Object\.assign)/, "$1static{found.Supercluster=this}$2");
    try {
      new Function("found", `return ${open}`)(found)({}, {}, nothing);
    } catch {
      // What follows the class needs what it imports.
    }
  }
  return found.Supercluster;
}

let Supercluster;
try {
  const module = require("supercluster");
  Supercluster = module.default ?? module;
} catch {
  if (process.argv[2] && require("node:fs").existsSync(process.argv[2])) Supercluster = bundled(process.argv[2]);
}
if (!Supercluster) {
  console.log(JSON.stringify({ note: "supercluster is not on this machine (npm install supercluster); no peer in memory" }));
  process.exit(0);
}

const [points, boxes] = require("node:fs").readFileSync(0, "utf8").split("\n\n").map((part) =>
  part.split("\n").filter(Boolean).map((line) => line.split(" ").map(Number))
);
const ms = (since) => Number(process.hrtime.bigint() - since) / 1e6;
const figure = (name, times, more) => {
  times.sort((a, b) => a - b);
  const at = (part) => Math.round(1000 * times[Math.min(times.length - 1, Math.floor(part * times.length))]) / 1000;
  console.log(JSON.stringify({ name, unit: "ms", p50: at(0.5), p99: at(0.99), most: at(1), ...more }));
};

let start = process.hrtime.bigint();
const index = new Supercluster({ radius: 44, extent: 256, maxZoom: 17 });
index.load(points.map((coordinates) => ({ type: "Feature", properties: {}, geometry: { type: "Point", coordinates } })));
figure("supercluster, index in memory", [ms(start)], {
  points: points.length,
  mb: Math.round(process.memoryUsage().rss / 1e6),
});
const times = [];
for (const [west, south, east, north, zoom] of boxes) {
  start = process.hrtime.bigint();
  index.getClusters([west, south, east, north], zoom);
  times.push(ms(start));
}
figure("supercluster, all zooms and boxes", times, {});
