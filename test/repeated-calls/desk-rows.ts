import { addBan, liftBan, listBans } from '#contract/bans.ts'
import { grantRole, listAuditLog, listDeskMembers } from '#contract/desk.ts'
import { actOnListings } from '#contract/desk-listings.ts'
import { actOnMember, getDeskMember } from '#contract/desk-members.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { refuseRegistration } from '#contract/registration-requests.ts'
import { listReportCases, resolveReportCase, undoAction } from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { getSiteSettings, saveSiteSettings } from '#contract/site-settings.ts'
import { appealSuspension } from '#contract/suspensions.ts'
import { giveRole } from '#server/features/desk/roles.ts'
import type { World } from '#test/world.ts'
import { onlyOf, type Row, row } from './row.ts'

/** Returns an operator and the open case of a listing. */
async function openCase(world: World) {
  const [olga, ann, bob] = await world.uniqueMembers('olga', 'ann', 'bob')
  await giveRole(world.db, null, { username: olga.username, role: 'operator' })
  const { id: listing_id } = await ann.call(createListing, { body: { title: 'Plastic', price: 2 } })
  await bob.call(report, { body: { listing_id, reason: 'No plant' } })
  const [opened] = await olga.call(listReportCases, { query: {} })
  return { olga, ann, listing_id, params: { id: opened?.id ?? 0 } }
}

/** Returns an operator and somebody who waits for a moderator. */
async function waitingRegistration(world: World) {
  const [olga] = await world.uniqueMembers('olga')
  await giveRole(world.db, null, { username: olga.username, role: 'operator' })
  const username = `w_${crypto.randomUUID().slice(0, 8)}`
  const { id } = await world.db
    .insertInto('registration_requests')
    .values({
      ...{ username, email: `${username}@example.com`, first_name: 'Wanda', last_name: 'Ash' },
      ...{ password_hash: 'x', network: '203.0.113.7' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { olga, params: { id } }
}

const rule = 'forbidden' as const

export const rowsOfDesk: readonly Row[] = [
  row(grantRole, 'role', [200, 200], ['moderator', 'operator'] as const, async (world) => {
    const [olga, maud] = await world.uniqueMembers('olga', 'maud')
    await giveRole(world.db, null, { username: olga.username, role: 'operator' })
    return {
      call: (role) => olga.try(grantRole, { body: { username: maud.username, role } }),
      stored: async () => (await olga.call(listDeskMembers)).find(({ id }) => id === maud.id)?.role,
    }
  }),
  row(resolveReportCase, 'outcome', [409, 409], ['warn', 'dismiss'] as const, async (world) => {
    const { olga, params } = await openCase(world)
    return {
      call: (outcome) => olga.try(resolveReportCase, { params, body: { outcome, rule, reason: 'No plant' } }),
      stored: async () => {
        const closed = await olga.call(listReportCases, { query: { state: 'closed' } })
        return closed.find(({ id }) => id === params.id)?.outcome
      },
    }
  }),
  row(refuseRegistration, 'reason', [409, 409], ['No room', 'Too far'], async (world) => {
    const { olga, params } = await waitingRegistration(world)
    return {
      call: (reason) => olga.try(refuseRegistration, { params, body: { reason } }),
      stored: async () => {
        const query = { action: 'registration_refused', actor_id: olga.id } as const
        return onlyOf((await olga.call(listAuditLog, { query })).map(({ reason }) => reason))
      },
    }
  }),
  row(actOnListings, 'reason', [409, 409], ['A pot', 'A vase'], async (world) => {
    const { olga, listing_id } = await openCase(world)
    const action = 'hide'
    return {
      call: (reason) => olga.try(actOnListings, { body: { ids: [listing_id], action, rule, reason } }),
      stored: async () => {
        const query = { action: 'listing_hidden', target_id: listing_id } as const
        return onlyOf((await olga.call(listAuditLog, { query })).map(({ reason }) => reason))
      },
    }
  }),
  row(actOnListings, 'category', [409, 200], [1, 3] as const, async (world) => {
    const { olga, ann, listing_id } = await openCase(world)
    const body = { ids: [listing_id], action: 'categorize' as const, reason: 'It has roots' }
    return {
      call: (category_id) => olga.try(actOnListings, { body: { ...body, category_id } }),
      stored: async () => (await ann.call(getListing, { params: { id: listing_id } })).category_id,
    }
  }),
  row(actOnMember, 'reason of a suspension', [409, 409], ['Spam', 'Fraud'], async (world) => {
    const { olga, ann } = await openCase(world)
    const params = { id: ann.id }
    return {
      call: (reason) => olga.try(actOnMember, { params, body: { action: 'suspend', rule, reason } }),
      stored: async () => (await olga.call(getDeskMember, { params })).suspension?.reason,
    }
  }),
  row(actOnMember, 'answer to an appeal', [409, 409], ['A pot', 'A vase'], async (world) => {
    const { olga, ann } = await openCase(world)
    const params = { id: ann.id }
    await olga.call(actOnMember, { params, body: { action: 'suspend', rule, reason: 'Spam' } })
    const { email: username, password } = ann
    await world.guest().call(appealSuspension, { body: { username, password, text: 'It is a pot' } })
    return {
      call: (reason) => olga.try(actOnMember, { params, body: { action: 'keep_suspension', reason } }),
      stored: async () => (await olga.call(getDeskMember, { params })).suspension?.appeal_answer,
    }
  }),
  row(addBan, 'reason', [409, 409], ['Spam', 'Fraud'], async (world) => {
    const { olga } = await openCase(world)
    const body = { kind: 'domain' as const, value: `${crypto.randomUUID()}.example` }
    return {
      call: (reason) => olga.try(addBan, { body: { ...body, reason } }),
      stored: async () => (await olga.call(listBans)).find(({ value }) => value === body.value)?.reason,
    }
  }),
  row(liftBan, 'reason', [409, 409], ['A mistake', 'A guess'], async (world) => {
    const { olga } = await openCase(world)
    const value = `${crypto.randomUUID()}.example`
    const { id } = await olga.call(addBan, { body: { kind: 'domain', value, reason: 'Spam' } })
    return {
      call: (reason) => olga.try(liftBan, { params: { id }, body: { reason } }),
      stored: async () => {
        const query = { action: 'ban_lifted', target_type: 'ban', target_id: id } as const
        return onlyOf((await olga.call(listAuditLog, { query })).map(({ reason }) => reason))
      },
    }
  }),
  row(undoAction, 'reason', [409, 409], ['A pot', 'A vase'], async (world) => {
    const { olga, listing_id, params } = await openCase(world)
    await olga.call(resolveReportCase, { params, body: { outcome: 'hide', rule, reason: 'No plant' } })
    const entriesOf = (action: 'listing_hidden' | 'listing_shown') =>
      olga.call(listAuditLog, { query: { action, target_id: listing_id } })
    const [hidden] = await entriesOf('listing_hidden')
    return {
      call: (reason) => olga.try(undoAction, { params: { id: hidden?.id ?? 0 }, body: { reason } }),
      stored: async () => onlyOf((await entriesOf('listing_shown')).map(({ reason }) => reason)),
    }
  }),
  row(saveSiteSettings, 'equal texts', [200, 409], [21, 22] as const, async (world) => {
    const { olga } = await openCase(world)
    const { version } = await olga.call(getSiteSettings)
    return {
      call: (equal_texts) => olga.try(saveSiteSettings, { body: { version, equal_texts } }),
      stored: async () => (await olga.call(getSiteSettings)).settings.equal_texts,
    }
  }),
  row(appealSuspension, 'text', [409, 409], ['It is a pot', 'It is a vase'], async (world) => {
    const { olga, ann, params } = await openCase(world)
    await olga.call(resolveReportCase, { params, body: { outcome: 'suspend', rule, reason: 'No plant' } })
    const { email: username, password } = ann
    return {
      call: (text) => world.guest().try(appealSuspension, { body: { username, password, text } }),
      stored: async () => {
        const query = world.db.selectFrom('suspensions').select('appeal').where('user_id', '=', ann.id)
        return (await query.executeTakeFirst())?.appeal
      },
    }
  }),
]
