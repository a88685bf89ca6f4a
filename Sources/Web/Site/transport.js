// SPDX-License-Identifier: Apache-2.0
// The transport to the engine of this page, in the place of the one to a hub.
import { chosenSource, WorkerTransport } from "./worker-transport.js";
import { restrictPictures } from "./map-server.js";

// Before any page is there. The demo has no map server: what is chosen in it is gone when the page is loaded again.
restrictPictures(chosenSource() === "bluetooth");

export const makeTransport = () => new WorkerTransport();
