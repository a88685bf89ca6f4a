// SPDX-License-Identifier: Apache-2.0
// Devices that pair with the hub, and those that have: what is asked, what is answered, whose keys are kept.

export class PairingRequests {
    constructor(hub) {
        this.hub = hub;
    }
    /// {items: [{pairing, digits}]}: digits are in no event, so they are fetched.
    list() {
        return this.hub.request("GET", "/pairings");
    }
    /// {accept, digits}: a no, a yes, or the six digits of the device. The first answer to a question counts.
    answer({ id, question }, answer) {
        return this.hub.request("POST", `/pairings/${id}/answer`, { body: { question, ...answer } });
    }
    /// {items: [bond], unreadable, fault}.
    bonds() {
        return this.hub.request("GET", "/bonds");
    }
    forget(address) {
        return this.hub.request("DELETE", "/bonds", { filter: { address } });
    }
    /// Forgets the bonds that the hub cannot read.
    forgetUnreadable() {
        return this.hub.request("DELETE", "/bonds/unreadable");
    }
}
