// SPDX-License-Identifier: Apache-2.0
// The way to the engine of this page, in the place of the way to a hub.
import { chosenSource, EngineWay } from "./engine-way.js";
import { restrictPictures } from "./map-server.js";

// Before any page is there. The demo has no map server: what is chosen in it is gone when the page is loaded again.
restrictPictures(chosenSource() === "bluetooth");

export const makeWay = () => new EngineWay();
