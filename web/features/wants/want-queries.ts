import { queryOptions } from '@tanstack/react-query'
import { createWant, deleteWant, listWants, saveWants, type Want, type WantChanges } from '#contract/wants.ts'
import { call } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'

const all = ['wants'] as const

export const myWantsQuery = queryOptions({
  queryKey: [...all, 'mine'],
  queryFn: ({ signal }) => call(listWants, { query: {} }, { signal }),
})

export function wantsOfQuery(user_id: number) {
  return queryOptions({
    queryKey: [...all, user_id],
    queryFn: ({ signal }) => call(listWants, { query: { user_id } }, { signal }),
  })
}

/** What fits them is counted anew. */
export function renewWants() {
  return queryClient.invalidateQueries({ queryKey: myWantsQuery.queryKey })
}

/** Saves a whole edit session at once. Returns the wants as they are now. */
export async function saveMyWants(body: WantChanges): Promise<Want[]> {
  const wants = await call(saveWants, { body })
  await keepWants(wants)
  return wants
}

export async function removeWant(id: number) {
  await call(deleteWant, { params: { id } })
  await keepWants(queryClient.getQueryData(myWantsQuery.queryKey)?.filter((want) => want.id !== id))
}

/** What was taken off comes back; what fits it is found anew. */
export async function addWant({ title, category_id }: Pick<Want, 'title' | 'category_id'>) {
  await call(createWant, { body: { title, category_id } })
  await queryClient.invalidateQueries({ queryKey: all })
}

/** A list that was asked for before the change would bring the old state back. */
async function keepWants(wants: Want[] | undefined) {
  await queryClient.cancelQueries({ queryKey: all })
  queryClient.setQueryData(myWantsQuery.queryKey, wants)
  void queryClient.invalidateQueries({ queryKey: all, refetchType: 'none' })
}
