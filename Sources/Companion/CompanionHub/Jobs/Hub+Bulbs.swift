// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices
package import LEDBulb

extension Hub {
    /// Takes a bulb in hand for a page: over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - page: The name of the page, which it has given itself.
    ///   - dialect: What it speaks; `nil` for what somebody has chosen before, else for what it shows.
    ///   - isFoundOut: Whether a choice of before does not count.
    /// - Returns: How it is.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    package func beginBulb(
        device id: Int, for page: String = "", speaking dialect: BulbDialect? = nil,
        findsOut isFoundOut: Bool = false
    ) async throws(HubFault) -> HubBulb {
        let address = try device(id).peer.plain
        let wanted = isFoundOut ? nil : dialect ?? current.bulbs.dialect(of: address)
        if let job = jobs.running[id], let running = job.work as? BulbWork {
            // Who says how to speak to it wants just that; everybody else takes it as it is.
            let isOther = (isFoundOut || dialect != nil) && running.chosen != wanted
            if await running.isLeft || isOther { await job.end() }
        }
        let work: BulbWork
        if let job = jobs.running[id], let running = job.work as? BulbWork {
            await job.use()
            work = running
        } else {
            work = try await begin(.bulb, with: id) { [clock, feed] job in
                BulbWork(job, speaking: wanted, clock: clock, feed: feed)
            }
        }
        await work.look(page)
        return await work.bulb
    }

    /// The bulb of a job that goes on or has ended.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - isUsed: Whether something is asked of it.
    /// - Returns: What is done.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func bulb(job id: Int64, isUsed: Bool = false) async throws(HubFault) -> BulbWork {
        guard let job = jobs[id], let work = job.work as? BulbWork else { throw .noJob }
        if isUsed { await job.use() }
        return work
    }

    /// Handles that a page still has a bulb in hand.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - page: The name of the page.
    /// - Returns: How it is.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func keepBulb(job id: Int64, for page: String) async throws(HubFault) -> HubBulb {
        let work = try await bulb(job: id)
        _ = try await keep(job: id)
        await work.look(page)
        return await work.bulb
    }

    /// Handles that a page has a bulb in hand no more; the last one ends the link.
    ///
    /// What is on its way then is brought there first: the job ends with its lease.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - page: The name of the page.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func leaveBulb(job id: Int64, for page: String) async throws(HubFault) {
        let work = try await bulb(job: id)
        guard await work.leave(page), await !work.isUnderWay,
            let job = jobs.running.values.first(where: { $0.id == id })
        else { return }
        await job.end()
    }
}
