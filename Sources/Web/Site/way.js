// SPDX-License-Identifier: Apache-2.0
// The way to the engine of this page, in the place of the way to a hub.
import { EngineWay } from "./engine-way.js";

export const makeWay = () => new EngineWay();
