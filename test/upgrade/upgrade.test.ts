import { expect, inject, test } from 'vitest'
import { commit, migrationsSince, runReleaseTests, version, whyNot } from './release.ts'

/** Some of everything that members do, and nothing that a clock measures. All there is: `npm run test:upgrade`. */
const some = [
  'auth/registration.test.ts',
  'listings/posting.test.ts',
  'messages/sending.test.ts',
  'members/profile.test.ts',
].map((file) => `server/features/${file}`)

test('the release that runs goes on on the newest schema, while nodes are brought to this version', {
  timeout: 600_000,
}, async (context) => {
  const reason = await whyNot()
  if (reason !== undefined) return context.skip(reason)
  const { changed, added } = await migrationsSince()

  expect(changed, `Migrations of release ${version} (${commit}) are never edited: add another`).toEqual([])
  if (added.length === 0) return
  const { passed, said } = await runReleaseTests(some, inject('postgresUrl'))
  expect(passed, said).toBe(true)
})
