// SPDX-License-Identifier: Apache-2.0

package import Companion
import NIOSSL

extension HubServerConfiguration.Certificate {
    /// What is wrong with the time at which the certificate is used; `nil` when nothing is, or it cannot be read.
    ///
    /// Browsers refuse a certificate outside its time, so the hub says so where its owner looks: when it begins.
    ///
    /// - Parameter now: The moment.
    /// - Returns: A sentence that says what to do.
    package func warning(at now: Timestamp) -> String? {
        guard let first = try? NIOSSLCertificate.fromPEMFile(certificate).first else { return nil }
        let begin = Timestamp(milliseconds: Int64(first.notValidBefore) * 1000)
        let end = Timestamp(milliseconds: Int64(first.notValidAfter) * 1000)
        if now < begin {
            return "\(certificate) begins on \(day(begin)): browsers refuse it. Is the clock right?"
        }
        guard end.milliseconds - now.milliseconds < Self.renewalTime else { return nil }
        let validity = now > end ? "was valid until \(day(end)): browsers refuse it" : "ends on \(day(end))"
        return "\(certificate) \(validity). Renew it and start the hub again."
    }

    /// Two weeks, in milliseconds: what renews certificates by itself has done so by then.
    private static let renewalTime: Int64 = 14 * 86_400_000

    private func day(_ moment: Timestamp) -> Substring { moment.description.prefix(10) }
}
