import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listBans } from '#contract/bans.ts'
import { auditActions, auditTargets, listAuditLog, listDeskMembers } from '#contract/desk.ts'
import { listDeskListings } from '#contract/desk-listings.ts'
import { getDeskMember, searchDeskMembers } from '#contract/desk-members.ts'
import { type DeskRole, hasRole } from '#contract/desk-roles.ts'
import { getSuspicious } from '#contract/desk-suspicious.ts'
import { getFigures } from '#contract/figures.ts'
import { checkSiteNow, getHealth } from '#contract/health.ts'
import type { Language } from '#contract/languages.ts'
import { getMailQueue } from '#contract/mail-queue.ts'
import { listRegistrationRequests } from '#contract/registration-requests.ts'
import { listReportCases } from '#contract/report-cases.ts'
import { getSitePageSource, type SitePageName } from '#contract/site-pages.ts'
import { getSiteSettings, listSettingsVersions } from '#contract/site-settings.ts'
import { listAppeals } from '#contract/suspensions.ts'
import { ignoreNotFound } from '#web/api/api-error.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { infiniteListOptions, prefetchList } from '#web/api/infinite-list.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import type { AuditSearch } from './audit-search.ts'

const deskKey = ['desk'] as const

export const reportCasesQuery = (state: 'open' | 'closed') =>
  infiniteListOptions([...deskKey, 'reports', state], listReportCases, { query: { state } })

/** The query of the audit log with the known filters of the address. */
export function auditLogQuery({ action, actor, target, target_id }: AuditSearch) {
  const query = {
    action: auditActions.find((known) => known === action),
    actor_id: actor,
    target_type: auditTargets.find((known) => known === target),
    target_id,
  }
  return infiniteListOptions([...deskKey, 'audit-log', query], listAuditLog, { query })
}

export const deskMembersQuery = queryOptions(endpointQuery([...deskKey, 'members'], listDeskMembers, {}))

export const appealsQuery = queryOptions(endpointQuery([...deskKey, 'appeals'], listAppeals, {}))

export const mailQueueQuery = queryOptions(endpointQuery([...deskKey, 'mail'], getMailQueue, {}))

export const healthQuery = queryOptions(endpointQuery([...deskKey, 'health'], getHealth, {}))

/** Without the key of the desk: an action at the desk does not check the site again. */
export const siteChecksQuery = queryOptions(
  endpointQuery(['site-checks'], checkSiteNow, {}, { retry: false }),
)

export const suspiciousQuery = queryOptions(endpointQuery([...deskKey, 'suspicious'], getSuspicious, {}))

export const registrationRequestsQuery = queryOptions(
  endpointQuery([...deskKey, 'registration-requests'], listRegistrationRequests, {}),
)

export const bansQuery = queryOptions(endpointQuery([...deskKey, 'bans'], listBans, {}))

export const figuresQuery = queryOptions(endpointQuery([...deskKey, 'figures'], getFigures, {}))

/** Starts loading for those who may read it: the loader of the desk refuses the others at the same time. */
async function forDesk(
  client: QueryClient,
  prefetch: () => Promise<void> | undefined,
  needed: DeskRole = 'moderator',
) {
  const { desk_role } = await client.ensureQueryData(profileQuery)
  if (hasRole(desk_role ?? undefined, needed)) await prefetch()
}

export const prefetchReports = (client: QueryClient, state: 'open' | 'closed') =>
  forDesk(client, () => prefetchList(client, reportCasesQuery(state)))

export const prefetchAuditLog = (client: QueryClient, search: AuditSearch) =>
  forDesk(client, () => prefetchList(client, auditLogQuery(search)))

export const prefetchFigures = (client: QueryClient) =>
  forDesk(client, () => client.prefetchQuery(figuresQuery))

export const prefetchSuspicious = (client: QueryClient) =>
  forDesk(client, async () => {
    await Promise.all([client.prefetchQuery(suspiciousQuery), client.prefetchQuery(bansQuery)])
  })

export const prefetchMailQueue = (client: QueryClient) =>
  forDesk(client, () => client.prefetchQuery(mailQueueQuery), 'operator')

/** Defines the query of the listings that do not wait for the desk. */
export const deskListingsQuery = (hidden: true | undefined) =>
  infiniteListOptions([...deskKey, 'listings', hidden], listDeskListings, {
    query: { hidden: hidden && 'true', waiting: hidden ? undefined : 'false' },
  })

/** The query of the listings that wait for the desk. */
export const waitingListingsQuery = infiniteListOptions(
  [...deskKey, 'listings', 'waiting'],
  listDeskListings,
  {
    query: { waiting: 'true' },
  },
)

export const prefetchDeskListings = (client: QueryClient, hidden: true | undefined) =>
  forDesk(client, async () => {
    await Promise.all([
      prefetchList(client, waitingListingsQuery),
      prefetchList(client, deskListingsQuery(hidden)),
    ])
  })

export const deskMembersPagesQuery = (q: string | undefined) =>
  infiniteListOptions([...deskKey, 'found-members', q], searchDeskMembers, { query: { q } })

export const deskMemberQuery = (id: number) =>
  queryOptions(endpointQuery([...deskKey, 'member', id], getDeskMember, { params: { id } }))

export const prefetchDeskMembers = (client: QueryClient, q: string | undefined) =>
  forDesk(client, async () => {
    await Promise.all([
      prefetchList(client, deskMembersPagesQuery(q)),
      client.prefetchQuery(registrationRequestsQuery),
    ])
  })

/** Returns what the desk knows about a member, or undefined for an unknown one and for those who may not read it. */
export function loadDeskMember(client: QueryClient, id: number) {
  return client.ensureQueryData(deskMemberQuery(id)).catch(ignoreNotFound)
}

export const prefetchHealth = (client: QueryClient) =>
  forDesk(client, () => client.prefetchQuery(healthQuery), 'operator')

export const siteSettingsQuery = queryOptions(endpointQuery([...deskKey, 'site'], getSiteSettings, {}))

export const settingsVersionsQuery = infiniteListOptions(
  [...deskKey, 'site', 'versions'],
  listSettingsVersions,
  { query: {} },
)

export const sitePageSourceQuery = (name: SitePageName, language: Language) =>
  queryOptions(
    endpointQuery([...deskKey, 'page', name, language], getSitePageSource, {
      params: { name },
      query: { language },
    }),
  )

export const prefetchSiteSettings = (client: QueryClient) =>
  forDesk(
    client,
    async () => {
      await Promise.all([
        client.prefetchQuery(siteSettingsQuery),
        prefetchList(client, settingsVersionsQuery),
      ])
    },
    'operator',
  )

/** Refetches all that the desk shows, after an action or a conflict with another moderator. */
export function refreshDesk(client: QueryClient) {
  return client.invalidateQueries({ queryKey: deskKey })
}
