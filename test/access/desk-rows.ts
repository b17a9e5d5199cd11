import { authMessages } from '#contract/auth.ts'
import * as bans from '#contract/bans.ts'
import { categories } from '#contract/constants.ts'
import * as desk from '#contract/desk.ts'
import { actOnListings, listDeskListings, listingActions } from '#contract/desk-listings.ts'
import * as members from '#contract/desk-members.ts'
import { getSuspicious } from '#contract/desk-suspicious.ts'
import { getFigures } from '#contract/figures.ts'
import { checkSiteNow, getHealth } from '#contract/health.ts'
import { createListing } from '#contract/listings.ts'
import { dropJobs, getMailQueue, retryJobs, sendTestMail } from '#contract/mail-queue.ts'
import { sendMessage } from '#contract/messages.ts'
import * as registrations from '#contract/registration-requests.ts'
import * as cases from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { getSitePageSource, previewSitePage } from '#contract/site-pages.ts'
import * as site from '#contract/site-settings.ts'
import { appealSuspension, getSuspension, listAppeals, suspensionMessages } from '#contract/suspensions.ts'
import { giveRole } from '#server/features/desk/roles.ts'
import { addFailedJob } from '#test/failed-jobs.ts'
import { photo } from '#test/pictures.ts'
import type { Fixture } from './fixture.ts'
import { deskRow, noInput, problem, type Row, row } from './row.ts'

/** Opens a case with a report of a listing of the owner. */
async function openCase({ cast, neighbor, listing }: Fixture): Promise<number> {
  const { id } = await listing()
  await neighbor.call(report, { body: { listing_id: id, reason: 'Not a plant' } })
  const [opened] = await cast.operator.call(cases.listReportCases, { query: {} })
  return opened?.id ?? 0
}

const resolution = { outcome: 'hide', rule: 'forbidden', reason: 'Not from a garden' } as const
/** Returns a ban of a domain that is not banned yet. */
const newBan = () => ({ kind: 'domain', value: `${crypto.randomUUID()}.example`, reason: 'Spam' }) as const
const listingAction = { rule: 'forbidden', reason: 'Not from a garden' } as const
const notSuspended = problem(404, suspensionMessages.notSuspended)
const guess = problem(401, authMessages.incorrectLogin)

/** Stores somebody who waits for a moderator. */
async function waiting({ world }: Fixture) {
  const username = `waits_${crypto.randomUUID().slice(0, 8)}`
  const { id } = await world.db
    .insertInto('registration_requests')
    .values({
      username,
      email: `${username}@example.com`,
      first_name: 'Wanda',
      last_name: 'Ash',
      password_hash: 'x',
      network: '203.0.113.7',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { params: { id } }
}

export const rowsOfDesk: readonly Row[] = [
  deskRow(desk.listAuditLog, 'of all', 200, () => ({ query: {} })),
  deskRow(getHealth, 'of the site', 200, noInput),
  deskRow(checkSiteNow, 'with a name server', 200, noInput),
  deskRow(getMailQueue, 'of the site', 200, noInput),
  deskRow(retryJobs, 'of a failed job', 200, async ({ world, cast }) => ({
    body: { id: await addFailedJob(world.db, cast.owner.id) },
  })),
  deskRow(retryJobs, 'of a job that has not failed', 404, () => ({ body: { id: crypto.randomUUID() } })),
  deskRow(dropJobs, 'of a failed job', 200, async ({ world, cast }) => ({
    body: { id: await addFailedJob(world.db, cast.owner.id) },
  })),
  deskRow(dropJobs, 'of a job that has not failed', 404, () => ({ body: { id: crypto.randomUUID() } })),
  deskRow(sendTestMail, 'to an address', 202, () => ({ body: { email: 'olga@example.com' } })),
  deskRow(getFigures, 'of the site', 200, noInput),
  deskRow(site.getSiteSettings, 'of the site', 200, noInput),
  deskRow(site.listSettingsVersions, 'of the site', 200, () => ({ query: {} })),
  deskRow(site.saveSiteSettings, 'of the site', 200, async ({ cast }) => ({
    body: { version: (await cast.operator.call(site.getSiteSettings)).version, equal_texts: 6 },
  })),
  deskRow(site.saveSiteLogo, 'of the site', 200, async ({ cast }) => ({
    body: { version: (await cast.operator.call(site.getSiteSettings)).version },
    file: await photo({ width: 40, height: 40 }),
  })),
  deskRow(
    site.saveSiteLogo,
    'of an older version',
    problem(409, site.siteSettingMessages.changedMeanwhile),
    async () => ({ body: { version: 999_999 }, file: await photo({ width: 40, height: 40 }) }),
  ),
  deskRow(
    site.saveSiteSettings,
    'of an older version',
    problem(409, site.siteSettingMessages.changedMeanwhile),
    () => ({ body: { version: 999_999, equal_texts: 7 } }),
  ),
  deskRow(site.restoreSettings, 'of the environment', 200, async ({ cast }) => ({
    body: { version: (await cast.operator.call(site.getSiteSettings)).version, restores: 0 },
  })),
  deskRow(site.restoreSettings, 'of an unknown version', 404, () => ({
    body: { version: 0, restores: 999_999 },
  })),
  deskRow(getSitePageSource, 'the terms', 200, () => ({
    params: { name: 'terms' as const },
    query: { language: 'en' as const },
  })),
  deskRow(previewSitePage, 'the terms', 200, () => ({
    params: { name: 'terms' as const },
    query: { language: 'en' as const },
    body: { text: '# Our rules' },
  })),
  deskRow(registrations.listRegistrationRequests, 'all', 200, noInput),
  deskRow(registrations.approveRegistration, 'of somebody who waits', 204, waiting),
  deskRow(
    registrations.approveRegistration,
    'that is answered',
    problem(409, registrations.registrationRequestMessages.answered),
    () => ({ params: { id: 999_999 } }),
  ),
  deskRow(registrations.refuseRegistration, 'of somebody who waits', 204, async (fixture) => ({
    ...(await waiting(fixture)),
    body: {},
  })),
  deskRow(
    registrations.refuseRegistration,
    'that is answered',
    problem(409, registrations.registrationRequestMessages.answered),
    () => ({ params: { id: 999_999 }, body: {} }),
  ),
  deskRow(site.openSwapDay, 'for an hour', 200, () => ({ body: { hours: 1 } })),
  deskRow(desk.listDeskMembers, 'all', 200, noInput),
  deskRow(desk.grantRole, 'to a new member', 200, async (fixture) => {
    const { username } = await fixture.extra()
    return { body: { username, role: 'moderator' as const } }
  }),
  deskRow(desk.revokeRole, 'of a moderator', 204, async (fixture) => {
    const { id, username } = await fixture.extra()
    await fixture.cast.operator.call(desk.grantRole, { body: { username, role: 'moderator' } })
    return { params: { id }, body: {} }
  }),
  deskRow(
    desk.revokeRole,
    'of the last operator',
    problem(409, desk.deskMessages.lastOperator),
    ({ cast }) => ({
      params: { id: cast.operator.id },
      body: {},
    }),
  ),
  deskRow(cases.listReportCases, 'open ones', 200, () => ({ query: {} })),
  deskRow(listAppeals, 'all', 200, noInput),
  deskRow(cases.takeReportCase, 'of a listing', 200, async (fixture) => ({
    params: { id: await openCase(fixture) },
  })),
  deskRow(cases.releaseReportCase, 'of a listing', 200, async (fixture) => ({
    params: { id: await openCase(fixture) },
  })),
  deskRow(cases.resolveReportCase, 'of a listing', 200, async (fixture) => ({
    params: { id: await openCase(fixture) },
    body: resolution,
  })),
  deskRow(cases.resolveReportCase, 'of a listing whose owner is suspended', 200, async (fixture) => {
    const spammer = await fixture.extra()
    const { id } = await spammer.call(createListing, { body: { title: 'Pills', price: 2 } })
    await fixture.neighbor.call(report, { body: { listing_id: id, reason: 'Not a plant' } })
    const [opened] = await fixture.cast.operator.call(cases.listReportCases, { query: {} })
    return { params: { id: opened?.id ?? 0 }, body: { ...resolution, outcome: 'suspend' as const } }
  }),
  deskRow(cases.undoAction, 'a hidden listing', 204, async (fixture) => {
    const { operator } = fixture.cast
    await operator.call(cases.resolveReportCase, {
      params: { id: await openCase(fixture) },
      body: resolution,
    })
    const [hidden] = await operator.call(desk.listAuditLog, { query: { action: 'listing_hidden' } })
    return { params: { id: hidden?.id ?? 0 }, body: { reason: 'A mistake' } }
  }),
  deskRow(listDeskListings, 'of all', 200, () => ({ query: {} })),
  ...listingActions
    .filter((action) => action !== 'show')
    .map((action) =>
      deskRow(actOnListings, `${action} of a listing`, 200, async (fixture) => ({
        body: {
          ...listingAction,
          action,
          category_id: categories.plants,
          ids: [(await fixture.listing()).id],
        },
      })),
    ),
  deskRow(actOnListings, 'show of a hidden listing', 200, async (fixture) => {
    const ids = [(await fixture.listing()).id]
    await fixture.cast.operator.call(actOnListings, { body: { ...listingAction, action: 'hide', ids } })
    return { body: { ...listingAction, action: 'show' as const, ids } }
  }),
  deskRow(listDeskListings, 'of those that wait to be shown', 200, () => ({ query: { waiting: 'true' } })),
  deskRow(actOnListings, 'of a deleted listing', 404, () => ({
    body: { ...listingAction, action: 'hide' as const, ids: [999_999_999] },
  })),
  deskRow(cases.undoAction, 'a corrected category', 204, async (fixture) => {
    const { operator } = fixture.cast
    const ids = [(await fixture.listing()).id]
    const body = { ...listingAction, action: 'categorize' as const, category_id: categories.plants, ids }
    await operator.call(actOnListings, { body })
    const [entry] = await operator.call(desk.listAuditLog, { query: { action: 'listing_categorized' } })
    return { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
  }),
  deskRow(cases.undoAction, 'a listing shown again', 204, async (fixture) => {
    const { operator } = fixture.cast
    const ids = [(await fixture.listing()).id]
    for (const action of ['hide', 'show'] as const)
      await operator.call(actOnListings, { body: { ...listingAction, action, ids } })
    const [entry] = await operator.call(desk.listAuditLog, { query: { action: 'listing_shown' } })
    return { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
  }),
  deskRow(cases.undoAction, 'the end of a suspension', 204, async (fixture) => {
    const { operator } = fixture.cast
    const { id } = await fixture.extra()
    for (const action of ['suspend', 'restore'] as const)
      await operator.call(members.actOnMember, {
        params: { id },
        body: { action, rule: 'spam', reason: 'Advertising' },
      })
    const [entry] = await operator.call(desk.listAuditLog, { query: { action: 'member_restored' } })
    return { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
  }),
  deskRow(getSuspicious, 'of the site', 200, noInput),
  deskRow(bans.listBans, 'all', 200, noInput),
  deskRow(bans.addBan, 'of a domain', 201, () => ({ body: newBan() })),
  deskRow(bans.addBan, 'of loopback', problem(422, bans.banMessages.protected), () => ({
    body: { kind: 'network' as const, value: '127.0.0.1', reason: 'A mistake' },
  })),
  deskRow(bans.liftBan, 'of a domain', 204, async ({ cast }) => {
    const { id } = await cast.operator.call(bans.addBan, { body: newBan() })
    return { params: { id }, body: { reason: 'A mistake' } }
  }),
  deskRow(bans.liftBan, 'an unknown ban', 404, () => ({
    params: { id: 999_999_999 },
    body: { reason: 'A mistake' },
  })),
  deskRow(members.searchDeskMembers, 'by words', 200, () => ({ query: { q: 'own' } })),
  deskRow(members.getDeskMember, 'the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id } })),
  deskRow(members.getDeskMember, 'an unknown member', 404, () => ({ params: { id: 999_999_999 } })),
  ...members.memberActions
    .filter((action) => !['restore', 'keep_suspension', 'withdraw', 'unpause'].includes(action))
    .map((action) =>
      deskRow(members.actOnMember, `${action} of a member`, 200, async (fixture) => ({
        params: { id: (await fixture.extra()).id },
        body: { action, reason: 'Advertising', days: 3 },
      })),
    ),
  deskRow(members.actOnMember, 'unpause of a paused member', 200, async (fixture) => {
    const params = { id: (await fixture.extra()).id }
    const body = { action: 'pause' as const, reason: 'Advertising', days: 3 }
    await fixture.cast.operator.call(members.actOnMember, { params, body })
    return { params, body: { action: 'unpause' as const, reason: 'A mistake' } }
  }),
  ...(['restore', 'keep_suspension', 'withdraw'] as const).map((action) =>
    deskRow(members.actOnMember, `${action} of a suspended member`, 200, async (fixture) => {
      const { cast } = fixture
      const spammer = await fixture.extra()
      await spammer.call(sendMessage, { body: { receiver_id: cast.owner.id, content: 'Buy!' } })
      const params = { id: spammer.id }
      await cast.operator.call(members.actOnMember, { params, body: { action: 'suspend', reason: 'Spam' } })
      const { email: username, password } = spammer
      await spammer.call(appealSuspension, { body: { username, password, text: 'No spam' } })
      return { params, body: { action, reason: 'Advertising' } }
    }),
  ),
  deskRow(
    members.actOnMember,
    'suspension of an operator',
    problem(409, members.deskMemberMessages.hasRole),
    async (fixture) => {
      const { id, username } = await fixture.extra()
      await giveRole(fixture.world.db, null, { username, role: 'operator' })
      return { params: { id }, body: { action: 'suspend' as const, reason: 'Spam' } }
    },
  ),
  deskRow(members.deleteDeskMember, 'a member', 204, async (fixture) => ({
    params: { id: (await fixture.extra()).id },
    body: { reason: 'At their request' },
  })),
  row(getSuspension, 'of a member who is not suspended', notSuspended, ({ cast }) => ({
    body: { username: cast.owner.email, password: cast.owner.password },
  })),
  row(getSuspension, 'with a guess', guess, ({ cast }) => ({
    body: { username: cast.suspended.email, password: 'a-guess' },
  })),
  row(appealSuspension, 'with a guess', guess, ({ cast }) => ({
    body: { username: cast.suspended.email, password: 'a-guess', text: 'A mistake' },
  })),
]
