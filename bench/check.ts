import { z } from 'zod/mini'
import { limits } from '#contract/constants.ts'
import { listingQuery } from '#contract/listing-queries.ts'
import { listing } from '#contract/listings.ts'
import { decodeCursor } from '#server/features/listings/cursor.ts'
import type { Market } from './market.ts'
import type { ServerProcess } from './server.ts'
import type { Workloads } from './workloads.ts'

/** The number of checked requests of each kind. */
const checkedRequests = 40

/** Sends some of the measured requests and throws if a response is wrong. */
export async function checkResponses(
  { page, listing: single }: Workloads,
  market: Market,
  server: ServerProcess,
  tokens: readonly string[],
): Promise<void> {
  for (let index = 0; index < checkedRequests; index += 1) {
    const token = tokens[index % tokens.length] ?? ''
    await checkPage(page.path(market), server, token)
    await checkListing(single.path(market), server, token)
  }
  const refused = await fetch(server.url + page.path(market))
  expect(refused.status === 401, 'a guest is refused', await refused.text())
}

async function checkPage(path: string, server: ServerProcess, token: string): Promise<void> {
  const rows = z.array(listing).parse(await fetchJson(path, server, token))
  const query = new URL(path, server.url).searchParams
  const category = query.get('category_id')
  const { id: before } = decodeCursor(
    query.get('cursor') ?? '',
    listingQuery.parse(Object.fromEntries(query)),
  )
  expect(rows.length === limits.page.size, `${limits.page.size} rows`, path)
  expect(
    rows.every(({ is_public, is_active }) => is_public && is_active),
    'only public listings',
    path,
  )
  expect(
    rows.every(({ category_id }) => category === null || category_id === Number(category)),
    'only the requested category',
    path,
  )
  expect(
    rows.every(({ id }, index) => id < (rows[index - 1]?.id ?? before)),
    'newest first, below the cursor',
    path,
  )
}

async function checkListing(path: string, server: ServerProcess, token: string): Promise<void> {
  const { id } = listing.parse(await fetchJson(path, server, token))
  expect(path.endsWith(`/${id}`), 'the requested listing', path)
}

async function fetchJson(path: string, { url }: ServerProcess, token: string): Promise<unknown> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status === 200, 'status 200', `${path} answered ${response.status}`)
  return response.json()
}

function expect(isRight: boolean, expected: string, response: string): void {
  if (!isRight)
    throw new Error(`A response is wrong, so nothing was measured. Expected ${expected}: ${response}`)
}
