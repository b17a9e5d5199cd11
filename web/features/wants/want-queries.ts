import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createWant, deleteWant, listWants, saveWants, type Want, type WantChanges } from '#contract/wants.ts'
import { call } from '#web/api/client.ts'

const all = ['wants'] as const

export const myWantsQuery = queryOptions({
  queryKey: [...all, 'mine'],
  queryFn: ({ client, signal }) => call(client, listWants, { query: {} }, { signal }),
})

export function wantsOfQuery(user_id: number) {
  return queryOptions({
    queryKey: [...all, user_id],
    queryFn: ({ client, signal }) => call(client, listWants, { query: { user_id } }, { signal }),
  })
}

/** Invalidates the wants and their match counts. */
export function invalidateWants(client: QueryClient) {
  return client.invalidateQueries({ queryKey: myWantsQuery.queryKey })
}

/** Saves a whole edit session at once. Returns the wants as they are now. */
export async function saveMyWants(client: QueryClient, body: WantChanges): Promise<Want[]> {
  const wants = await call(client, saveWants, { body })
  await keepWants(client, wants)
  return wants
}

export async function removeWant(client: QueryClient, id: number) {
  await call(client, deleteWant, { params: { id } })
  await keepWants(
    client,
    client.getQueryData(myWantsQuery.queryKey)?.filter((want) => want.id !== id),
  )
}

/** Adds a deleted want again. The server matches it anew. */
export async function addWant(
  client: QueryClient,
  { title, category_id }: Pick<Want, 'title' | 'category_id'>,
) {
  await call(client, createWant, { body: { title, category_id } })
  await client.invalidateQueries({ queryKey: all })
}

/** A list that was asked for before the change would bring the old state back. */
async function keepWants(client: QueryClient, wants: Want[] | undefined) {
  await client.cancelQueries({ queryKey: all })
  client.setQueryData(myWantsQuery.queryKey, wants)
  void client.invalidateQueries({ queryKey: all, refetchType: 'none' })
}
