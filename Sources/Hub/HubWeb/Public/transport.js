// SPDX-License-Identifier: Apache-2.0
// Which way leads to what answers the pages: here a hub. Where no hub is, another file of this name stands in its place.
export { makeTransport } from "./http-transport.js";
