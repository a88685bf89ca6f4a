// SPDX-License-Identifier: Apache-2.0

// There are no mirrors on a chip, nor in a page.
#if !hasFeature(Embedded)

extension SMP.EncryptionInformation: CustomReflectable {
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP.IdentityInformation: CustomReflectable {
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP.SigningInformation: CustomReflectable {
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP.Passkey: CustomReflectable {
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

#endif
