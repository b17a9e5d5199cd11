import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { limits, types } from '#contract/constants.ts'
import { imageMessages, type Photo, uploadImage } from '#contract/images.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { listMessages, listThreads, messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { deleteProfile, exportProfile, updateProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { photo } from '#test/pictures.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
const file = await photo({ width: 300, height: 200 })

const upload = (member = ann) => member.call(uploadImage, { body: {}, file })
const uploads = (count: number, member = ann) =>
  Promise.all(Array.from({ length: count }, () => upload(member)))
const idsOf = (photos: readonly Photo[]) => photos.map(({ id }) => id)
const send = (image_ids: number[], more: object = {}, from = ann, to = bob) =>
  from.try(sendMessage, { body: { receiver_id: to.id, content: '', image_ids, ...more } })
const statusOf = async ({ src }: Photo, who: Actor) => (await who.send('GET', src)).status
const notUsable = {
  status: 422,
  body: { errors: [{ field: 'image_ids', message: imageMessages.notUsable }] },
}

describe('a message with photos', () => {
  test('is found by the preview of its thread', async () => {
    const [dan, eva, fin] = await world.members('dan', 'eva', 'fin')
    const found = async (q: string) =>
      (await dan.call(listThreads, { query: { q } })).map(({ user }) => user?.username)
    await send(idsOf(await uploads(1, dan)), {}, dan, eva)
    await send(idsOf(await uploads(2, dan)), {}, dan, fin)
    expect(await found('PHOTO')).toEqual(['fin', 'eva'])
    expect(await found('2 photos')).toEqual(['fin'])
    await send(idsOf(await uploads(1, dan)), { content: 'Of the beans' }, dan, eva)
    expect(await found('photo')).toEqual(['fin'])
    await dan.call(updateProfile, { body: { language: 'es' } })
    expect(await found('2 fotos')).toEqual(['fin'])
    expect(await found('photo')).toEqual([])
  })

  test('needs no text and shows them in their order to both members', async () => {
    const photos = (await uploads(3)).toReversed()
    const { status, body } = await send(idsOf(photos))
    expect({ status, content: body.content, images: body.images }).toEqual({
      status: 201,
      content: '',
      images: photos,
    })
    for (const [reader, partner] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const messages = await reader.call(listMessages, { params: { id: partner.id }, query: {} })
      expect(messages.at(-1)).toMatchObject({ id: body.id, images: photos })
      const [thread] = await reader.call(listThreads, { query: {} })
      expect(thread?.last_message).toMatchObject({ id: body.id, images: photos })
    }
  })

  test('arrives on the sockets of both members when it is sent by one', async () => {
    const photos = await uploads(2)
    using from = await connectSocket(ann)
    using to = await connectSocket(bob)
    const response = await from.send('send_message', {
      receiver_id: bob.id,
      content: 'Look',
      image_ids: idsOf(photos),
    })
    expect(response).toMatchObject({ ok: true, message: { content: 'Look', images: photos } })
    await expect
      .poll(() => [from, to].flatMap((socket) => socket.received('new_message')).map(({ images }) => images))
      .toEqual([photos, photos])
  })

  test('has at most four photos, each once, and without any it needs a text', async () => {
    const five = idsOf(await uploads(5))
    const refusal = (field: string, message: string) => ({
      status: 422,
      body: { errors: [{ field, message }] },
    })
    expect(await send(five)).toMatchObject(refusal('image_ids', messageErrorMessages.tooManyPhotos))
    const [one = 0] = five
    expect(await send([one, one])).toMatchObject(refusal('image_ids', imageMessages.repeated))
    expect(await send([])).toMatchObject(refusal('content', messageErrorMessages.empty))
    for (const image_ids of [null, 7]) expect(await send([], { image_ids })).toMatchObject({ status: 422 })
    expect(await send(five.slice(0, limits.photos.message))).toMatchObject({ status: 201 })
  })

  test('can not have photos of others, used or unknown ones', async () => {
    const [own, used, listed] = idsOf(await uploads(3)) as [number, number, number]
    const { id: foreign } = await upload(bob)
    await send([used])
    await ann.call(createListing, { body: { title: 'Figs', type_id: types.giveaway, image_ids: [listed] } })
    for (const other of [foreign, used, listed, 999_999_999])
      expect(await send([own, other])).toMatchObject(notUsable)
    expect(await send([own])).toMatchObject({ status: 201 })
  })

  test('has photos that no listing can use afterwards', async () => {
    const { id } = await upload()
    await send([id])
    expect(
      await ann.try(createListing, { body: { title: 'Figs', type_id: types.giveaway, image_ids: [id] } }),
    ).toMatchObject(notUsable)
  })
})

describe('exactly once', () => {
  test('a retry with the same photos returns the stored message, with others it is refused', async () => {
    const [a, b, c] = idsOf(await uploads(3)) as [number, number, number]
    const client_id = randomUUID()
    const first = await send([a, b], { client_id })
    const again = await send([a, b], { client_id })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    for (const others of [[b, a], [a], [a, b, c], [c]])
      expect(await send(others, { client_id })).toMatchObject({
        status: 409,
        body: { code: 'client_id_reused' },
      })
    expect(await send([c])).toMatchObject({ status: 201 })
  })

  test('a message that is sent many times at once is stored once', async () => {
    const photos = await uploads(2)
    const client_id = randomUUID()
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(idsOf(photos), { client_id })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    for (const { body } of responses) expect(body.images).toEqual(photos)
  })

  test('a photo that several messages have at the same time is attached to one of them', async () => {
    const { id } = await upload()
    const responses = await Promise.all([
      ...Array.from({ length: 4 }, () => send([id])),
      ...Array.from({ length: 2 }, () => send([id], {}, ann, cat)),
      send([id], {}, cat, bob),
      ann.try(createListing, { body: { title: 'Figs', type_id: types.giveaway, image_ids: [id] } }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422])
  })
})

describe('the photo of a message', () => {
  test('is served to its two members only, also after a block', async () => {
    const [dea, eve] = await world.members('dea', 'eve')
    const picture = await upload(dea)
    await send([picture.id], {}, dea, eve)
    const statuses = async () => Promise.all([dea, eve, cat].map((who) => statusOf(picture, who)))
    expect(await statuses()).toEqual([200, 200, 404])
    await eve.call(blockMember, { params: { id: dea.id } })
    expect(await statuses()).toEqual([200, 200, 404])
  })

  test('stays for the other member when its sender leaves, and is deleted with the last of the two', async () => {
    const [flo, gus] = await world.members('flo', 'gus')
    const picture = await upload(flo)
    await send([picture.id], {}, flo, gus)
    await flo.call(deleteProfile, { body: { password: flo.password } })
    await world.jobsDone()
    expect(await statusOf(picture, gus)).toBe(200)
    await gus.call(deleteProfile, { body: { password: gus.password } })
    await world.jobsDone()
    expect(await world.db.selectFrom('images').select('id').where('id', '=', picture.id).execute()).toEqual(
      [],
    )
    expect(await statusOf(picture, ann)).toBe(404)
  })

  test('is in the exports of its two members only', async () => {
    const picture = await upload()
    const { body } = await send([picture.id])
    const exportedTo = async (member: Actor) => {
      const { images } = JSON.parse(await (await member.fetch(exportProfile)).text())
      return images.filter(({ id }: Photo) => id === picture.id)
    }
    const exported = [expect.objectContaining({ message_id: body.id, name: expect.any(String) })]
    expect(await Promise.all([ann, bob, cat].map(exportedTo))).toEqual([exported, exported, []])
  })

  test('is shown to the operator when the message is reported', async () => {
    const picture = await upload()
    const { body } = await send([picture.id])
    await bob.call(report, { body: { message_id: body.id, reason: 'Not a plant' } })
    await world.jobsDone()
    const [mail] = world.mailTo({ email: 'hello@rhubarb.example' })
    const [, command = '', id = ''] = /npm run admin -- (photos) (\d+)/.exec(mail?.text ?? '') ?? []
    const { output, code } = await admin(world, command, id)
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/1\.webp\n$/) })
  })
})
