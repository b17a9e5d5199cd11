import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import { getTrade, listThanks, listTrades, type Trade } from '#contract/trades.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { changeItems, infiniteListOptions } from '#web/api/infinite-list.ts'
import { justFetchedMs } from '#web/api/query-client.ts'
import { listingsKey } from '#web/features/listings/listing-key.ts'
import { membersKey } from '#web/features/members/public-member-key.ts'
import { isOpen } from './is-open.ts'

/** The prefix of the query keys of all trades. */
export const tradesKey = ['trades'] as const
const pages = [...tradesKey, 'pages'] as const
const own = [...pages, 'own'] as const

type TradesFilter = Pick<CallInput<typeof listTrades>['query'], 'state' | 'listing_id' | 'with'>

function pagesQuery(queryKey: QueryKey, filter: TradesFilter) {
  return infiniteListOptions(queryKey, listTrades, { query: filter }, { staleTime: justFetchedMs })
}

/** Defines the query of the member's trades, newest first. */
export function tradePagesQuery(state: 'open' | 'closed') {
  return pagesQuery([...own, state], { state })
}

/** Defines the query of a listing's trades: its open requests in order of arrival, or for another's listing the member's own trades. */
export function listingTradesQuery(listing_id: number) {
  return pagesQuery([...pages, 'listing', listing_id], { state: 'open', listing_id })
}

/** Defines the query of the closed trades of the member's own listing. */
export function endedTradesQuery(listing_id: number) {
  return pagesQuery([...pages, 'ended-listing', listing_id], { state: 'closed', listing_id })
}

/** Defines the query of the trades with another member, newest first. */
export function memberTradesQuery(memberId: number) {
  return pagesQuery([...pages, 'member', memberId], { with: memberId })
}

/** Defines the query of one trade. */
export function tradeQuery(id: number) {
  return endpointQuery([...tradesKey, 'one', id], getTrade, { params: { id } }, { staleTime: justFetchedMs })
}

/** Defines the query of the thank-yous to a member, newest first. */
export function thanksQuery(user_id: number) {
  const input = { params: { id: user_id }, query: {} }
  return infiniteListOptions([...tradesKey, 'thanks', user_id], listThanks, input)
}

/** Calls a step and updates the cached trade. After a conflict, refetches the trade and throws the error. */
export async function changeTrade(client: QueryClient, change: Promise<Trade>, id?: number): Promise<Trade> {
  try {
    const changed = await change
    updateCachedTrade(client, changed)
    return changed
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 409) await refetchTrade(client, id)
    throw failure
  }
}

async function refetchTrade(client: QueryClient, id: number | undefined) {
  if (id === undefined) return invalidateTrades(client)
  const now = await call(client, getTrade, { params: { id } }).catch(() => undefined)
  if (now !== undefined) updateCachedTrade(client, now)
}

/**
 * Updates a changed trade in all cached lists and refetches the data that depends on it. A trade that closes stays in the shown list
 * of open trades, with its next step.
 */
export function updateCachedTrade(client: QueryClient, changed: Trade) {
  client.setQueryData(tradeQuery(changed.id).queryKey, changed)
  changeItems<Trade>(client, pages, (trades) =>
    trades.map((trade) => (trade.id === changed.id ? changed : trade)),
  )
  const isOwn = ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[2] === own[2]
  void client.invalidateQueries({
    queryKey: tradesKey,
    predicate: (query) => isOpen(changed) || !isOwn(query),
  })
  void client.invalidateQueries({ queryKey: own, refetchType: 'none' })
  void invalidateAffected(client)
}

/** Refetches trades, and the listings and members that a trade changes. */
export async function invalidateTrades(client: QueryClient) {
  await Promise.all([client.invalidateQueries({ queryKey: tradesKey }), invalidateAffected(client)])
}

function invalidateAffected(client: QueryClient) {
  return Promise.all([listingsKey, membersKey].map((queryKey) => client.invalidateQueries({ queryKey })))
}
