import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMember, personalInfoForm } from '#contract/auth.ts'
import { limits } from '#contract/constants.ts'
import { newListing } from '#contract/listings.ts'
import { newWant } from '#contract/wants.ts'
import { isCommonPassword } from '#server/features/auth/common-passwords.ts'
import { listings } from './listings.ts'
import { demoPassword, friendRequests, friends, members, town } from './members.ts'
import { fieldsOf } from './rows.ts'
import { wantLists } from './wants.ts'

test.each(members)('the registration schema accepts $username', ({ zip_code, ...member }) => {
  expect(newMember.safeParse({ ...member, password: demoPassword }).error).toBeUndefined()
  expect(personalInfoForm.safeParse({ ...town, postcode: zip_code }).error).toBeUndefined()
})

test('the demo password is not common', async () => {
  for (const member of members) expect(await isCommonPassword(demoPassword, member)).toBe(false)
})

test.each(listings)('the listing schema accepts “$title”', (listing) => {
  const fields = fieldsOf(listing)
  const parsed = newListing.safeParse(fields)
  expect(parsed.error).toBeUndefined()
  expect(parsed.data).toEqual({ ...fields, image_ids: [] })
})

test.each(Object.entries(wantLists))('the want schema and limit accept the wants of %s', (_, list) => {
  for (const titles of Object.values(list)) {
    expect(titles.length).toBeLessThanOrEqual(limits.want.perCategory)
    for (const title of titles) expect(newWant.parse({ title }).title).toBe(title)
  }
})

const picturesIn = (folder: string) =>
  new Set(readdirSync(join(import.meta.dirname, folder)).map((file) => file.replace(/\.webp$/, '')))

test('titles of listings are unique and each picture is used once', () => {
  const photos = listings.flatMap(({ photo }) => photo ?? [])
  expect(new Set(listings.map(({ title }) => title)).size).toBe(listings.length)
  expect(new Set(photos).size).toBe(photos.length)
  expect(new Set(photos)).toEqual(picturesIn('photos'))
  const more = listings.flatMap(({ morePhotos = [] }) => morePhotos)
  expect(more.filter((photo) => !photos.includes(photo))).toEqual([])
  const portraits = members.flatMap((member) => ('portrait' in member ? member.portrait : []))
  expect(new Set(portraits)).toEqual(picturesIn('portraits'))
})

test('two members have at most one friendship or request', () => {
  const pairs = [
    ...Object.entries(friends).flatMap(([one, others]) => others.map((other) => [one, other])),
    ...friendRequests,
  ].map((pair) => pair.toSorted().join(' and '))
  expect(new Set(pairs).size).toBe(pairs.length)
})
