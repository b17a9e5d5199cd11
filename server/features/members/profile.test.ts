import { afterAll, describe, expect, test } from 'vitest'
import { getOwnAvatar, getProfile, uploadProfileImage } from '#contract/auth.ts'
import { getPublicMember } from '#contract/members.ts'
import { updateProfile } from '#contract/profile.ts'
import { blob, photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const location = { city: 'Ghent', state: 'East Flanders', postcode: '90000' }

const addressOf = (id: number) =>
  world.db.selectFrom('users').select(['address', 'apt']).where('id', '=', id).executeTakeFirstOrThrow()

test('saves a location without a photo', async () => {
  const [ann] = await world.members('ann')
  const saved = await ann.call(uploadProfileImage, {
    body: { ...location, address: '1 Leek Lane', apt: '2b' },
  })

  expect(saved).toEqual({
    ...ann.profile,
    address: '1 Leek Lane',
    apt: '2b',
    city: 'Ghent',
    state: 'East Flanders',
    zip_code: '90000',
  })
  expect(await ann.call(getProfile)).toEqual(saved)
  expect(await addressOf(ann.id)).toEqual({ address: '1 Leek Lane', apt: '2b' })
})

test('saves a photo without a location and serves it as the avatar', async () => {
  const [bea] = await world.members('bea')
  const saved = await bea.call(uploadProfileImage, { body: {}, file: await photo() })

  expect(saved).toEqual({
    ...bea.profile,
    profile_picture: expect.stringMatching(/^images\/[\w-]{22}-460\.webp$/),
  })
  expect(await world.guest().send('GET', `/api/${saved.profile_picture}`)).toMatchObject({ status: 200 })

  const avatar = await bea.try(getOwnAvatar)
  expect(avatar.status).toBe(200)
  expect(avatar.headers.get('content-type')).toBe('image/webp')
  expect(avatar.headers.get('cache-control')).toBe('private, no-cache')
  expect(avatar.body).toHaveProperty('size', Number(avatar.headers.get('content-length')))
})

test('saves a location and a photo, and others see the photo with listings', async () => {
  const [cas, dee] = await world.members('cas', 'dee')
  await cas.call(uploadProfileImage, { body: location, file: await photo() })
  await cas.send('POST', '/api/listings', {
    body: JSON.stringify({ title: 'Chives', type_id: 3 }),
    headers: { 'content-type': 'application/json' },
  })
  const [listing] = (
    await dee.send<{ owner_profile_picture: string }[]>('GET', `/api/listings?user_id=${cas.id}`)
  ).body

  expect(await cas.call(getProfile)).toMatchObject({ city: 'Ghent', profile_picture: expect.any(String) })
  expect(listing?.owner_profile_picture).toMatch(/^images\/[\w-]{22}-96\.webp$/)
  expect(await world.guest().send('GET', `/api/${listing?.owner_profile_picture}`)).toMatchObject({
    status: 200,
  })
})

test.each([64, 96, 300])('serves a photo of %i pixels in all sizes', async (side) => {
  const eli = await world.member({ username: `eli_${side}` })
  const { profile_picture } = await eli.call(uploadProfileImage, {
    body: {},
    file: await photo({ width: side, height: side }),
  })
  await eli.send('POST', '/api/listings', {
    body: JSON.stringify({ title: 'Chives', type_id: 3 }),
    headers: { 'content-type': 'application/json' },
  })
  const [listing] = (await eli.send<{ owner_profile_picture: string }[]>('GET', '/api/listings?mine=true'))
    .body
  const paths = [profile_picture, listing?.owner_profile_picture].map((path) => `/api/${path}`)

  for (const path of [...paths, '/api/auth/users/me/avatar']) {
    expect({ path, status: (await eli.send('GET', path)).status }).toEqual({ path, status: 200 })
  }
})

test('an empty form changes nothing', async () => {
  const [fay] = await world.members('fay')
  const before = await fay.call(uploadProfileImage, { body: location, file: await photo() })

  expect(await fay.call(uploadProfileImage, { body: {} })).toEqual(before)
  expect(await fay.call(uploadProfileImage, { body: { city: 'Bruges' } })).toEqual({
    ...before,
    city: 'Bruges',
  })
})

test('requires five characters of a postal code, without blanks around it', async () => {
  const [gil] = await world.members('gil')
  for (const postcode of ['9000', ' 9000 ', '']) {
    expect(await gil.try(uploadProfileImage, { body: { ...location, postcode } })).toMatchObject({
      status: 422,
      body: {
        detail: 'Postcode must be at least 5 characters.',
        errors: [{ field: 'postcode', message: 'Postcode must be at least 5 characters.' }],
      },
    })
  }
  expect(await gil.call(uploadProfileImage, { body: { postcode: '  SW1A 1AA ' } })).toMatchObject({
    zip_code: 'SW1A 1AA',
    city: null,
  })
})

describe('an invalid location returns the message of the broken rule', async () => {
  const [hal] = await world.members('hal')

  test.each([
    ['city', ' ', 'City is required'],
    ['state', '', 'State is required'],
    ['city', 'a'.repeat(81), 'City must be at most 80 characters long'],
    ['state', 'a'.repeat(81), 'State must be at most 80 characters long'],
    ['postcode', '1'.repeat(13), 'Postcode must be at most 12 characters long'],
    ['address', 'a'.repeat(121), 'Address must be at most 120 characters long'],
    ['apt', 'a'.repeat(31), 'Apt must be at most 30 characters long'],
    ['city', 'Gh\u0000ent', 'Please remove characters that can not be shown'],
    ['address', '1 Leek Lane\n2', 'Please remove characters that can not be shown'],
  ])('%s %j: %s', async (field, value, message) => {
    const before = await hal.call(getProfile)
    const { status, body } = await hal.try(uploadProfileImage, { body: { ...location, [field]: value } })

    expect({ status, detail: body.detail, errors: body.errors }).toEqual({
      status: 422,
      detail: message,
      errors: [{ field, message }],
    })
    expect(await hal.call(getProfile)).toEqual(before)
  })
})

test('an invalid photo or location changes neither', async () => {
  const [ina] = await world.members('ina')
  const before = await ina.call(uploadProfileImage, { body: location, file: await photo() })
  const noPhoto = await ina.try(uploadProfileImage, {
    body: { city: 'Bruges' },
    file: blob('no photo', 'image/jpeg'),
  })
  const noLocation = await ina.try(uploadProfileImage, {
    body: { postcode: '1' },
    file: await photo({ color: 'red' }),
  })
  await world.jobsDone()

  expect([noPhoto.status, noLocation.status]).toEqual([415, 422])
  expect(await ina.call(getProfile)).toEqual(before)
  expect(await ina.try(getOwnAvatar)).toMatchObject({ status: 200 })
})

test('the avatar of a member without a photo returns 404', async () => {
  const [jan] = await world.members('jan')

  expect(await jan.try(getOwnAvatar)).toMatchObject({ status: 404, body: { detail: 'No profile photo' } })
})

describe('a public profile', async () => {
  const [ned] = await world.members('ned')

  test('shows only username, photo, location and number of friends', async () => {
    const [kim, lea, max] = await world.members('kim', 'lea', 'max')
    await kim.call(uploadProfileImage, {
      body: { ...location, address: '1 Leek Lane', apt: '2b' },
      file: await photo(),
    })
    await world.befriend(kim, lea)
    const { status, body } = await max.try(getPublicMember, { params: { id: kim.id } })

    expect(status).toBe(200)
    expect(body).toEqual({
      id: kim.id,
      username: 'kim',
      profile_picture: expect.stringMatching(/^images\/[\w-]{22}-460\.webp$/),
      city: 'Ghent',
      state: 'East Flanders',
      zip_code: '90000',
      friend_count: 1,
      given_count: 0,
      received_count: 0,
    })
    expect(await lea.call(getProfile)).toMatchObject({ friend_count: 1 })
    expect(await max.call(getProfile)).toMatchObject({ friend_count: 0 })
  })

  test.each(['987654321', '0', '-1', '1e3', 'kim', 'me', '9'.repeat(30)])(
    'of the unknown id %s returns 404',
    async (id) => {
      expect(await ned.send('GET', `/api/auth/users/${id}/public`)).toMatchObject({
        status: 404,
        body: { detail: 'User not found' },
      })
    },
  )
})

test('the own profile has the street address, which can be changed and cleared', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const read = async () => {
    const { address, apt } = await ann.call(getProfile)
    return { address, apt }
  }
  expect(await read()).toEqual({ address: null, apt: null })
  await ann.call(updateProfile, { body: { address: '1 Leek Lane', apt: '2b' } })
  expect(await read()).toEqual({ address: '1 Leek Lane', apt: '2b' })
  const seen = await bob.send('GET', `/api/auth/users/${ann.id}/public`)
  expect(JSON.stringify(seen.body)).not.toContain('Leek Lane')
  await ann.call(updateProfile, { body: { address: '', apt: '' } })
  expect(await read()).toEqual({ address: null, apt: null })
})
