import type { QueryClient } from '@tanstack/react-query'
import type { CategoryId } from '#contract/constants.ts'
import {
  createWant,
  deleteWant,
  listCropSeasons,
  listNearbyWants,
  listWants,
  saveWants,
  type Want,
  type WantChanges,
} from '#contract/wants.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { justFetchedMs } from '#web/api/query-client.ts'

/** The key of all queries of wants. */
export const wantsKey = ['wants'] as const

/** The query of the member's own wants. */
export const myWantsQuery = endpointQuery([...wantsKey, 'mine'], listWants, { query: {} })

/** Defines the query of another member's wants. */
export function wantsOfQuery(user_id: number) {
  return endpointQuery([...wantsKey, user_id], listWants, { query: { user_id } })
}

/** Defines the query of what members near the member want. Other members change it. */
export function nearbyWantsQuery(category_id: CategoryId | undefined) {
  return endpointQuery(
    [...wantsKey, 'nearby', category_id ?? null],
    listNearbyWants,
    { query: { category_id } },
    { staleTime: justFetchedMs },
  )
}

/** Defines the query of what members near the member wanted in the last year. Screens ignore its failure. */
export function cropSeasonsQuery(category_id: CategoryId | undefined) {
  return endpointQuery(
    [...wantsKey, 'seasons', category_id ?? null],
    listCropSeasons,
    { query: { category_id } },
    { retry: false },
  )
}

/** Invalidates the member's own wants, which have the counts of their matches. */
export function invalidateWants(client: QueryClient) {
  return client.invalidateQueries({ queryKey: myWantsQuery.queryKey })
}

/** Fetches the member's own wants, also if cached ones are fresh. */
export function fetchMyWants(client: QueryClient): Promise<Want[]> {
  return client.fetchQuery({ ...myWantsQuery, staleTime: 0, retry: false })
}

/** Saves the changes of an edit session in one call. Returns the current wants. */
export async function saveMyWants(client: QueryClient, body: WantChanges): Promise<Want[]> {
  const wants = await call(client, saveWants, { body })
  await storeWants(client, wants)
  return wants
}

/** Deletes a want and removes it from the cached list. */
export async function removeWant(client: QueryClient, id: number) {
  await call(client, deleteWant, { params: { id } })
  await storeWants(
    client,
    client.getQueryData(myWantsQuery.queryKey)?.filter((want) => want.id !== id),
  )
}

/** Adds a deleted want again. The server matches it as a new one. */
export async function addWant(
  client: QueryClient,
  { title, category_id }: Pick<Want, 'title' | 'category_id'>,
) {
  await call(client, createWant, { body: { title, category_id } })
  await client.invalidateQueries({ queryKey: wantsKey })
}

/**
 * Stores the member's own wants in the cache. Cancels pending requests first, because they would restore the old state. Lists of wants
 * are refetched when they are shown next.
 */
async function storeWants(client: QueryClient, wants: Want[] | undefined) {
  await client.cancelQueries({ queryKey: wantsKey })
  client.setQueryData(myWantsQuery.queryKey, wants)
  void client.invalidateQueries({ queryKey: wantsKey, refetchType: 'none' })
}
