// SPDX-License-Identifier: Apache-2.0

// supercluster.cjs: reads "longitude latitude" lines, then "west south east north zoom" lines after an empty one, and prints how long
// supercluster takes to build its index in memory and to answer each box. It says so where the module is not there.
"use strict";

let Supercluster;
try {
  const module = require("supercluster");
  Supercluster = module.default ?? module;
} catch {
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
