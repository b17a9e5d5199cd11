import { openDB } from 'idb'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { changeImage, imageMessages, type Photo, uploadImage } from '#contract/images.ts'
import { listingMessages } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { photoDatabase } from '#web/login/stored-data.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { picture, uploadedPhoto } from '#web/testing/picture.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { maxUploadAgeMs } from './photo-drafts.ts'
import { PhotosField } from './photos-field.tsx'
import { warningText } from './prepare-image.ts'
import { usePhotoList } from './use-photo-list.ts'

const listingPhotos = { max: limits.photos.listing, tooMany: listingMessages.tooManyPhotos }
/** The list of the shown field. */
let list: ReturnType<typeof usePhotoList>

function Field({ saved = [] }: { saved?: readonly Photo[] }) {
  list = usePhotoList({ ...listingPhotos, draftKey: 'new-listing' }, saved)
  return <PhotosField list={list} hint="or drop it here" onChange={() => {}} />
}

let uploads = 0
const uploaded = (): Photo => {
  uploads += 1
  return uploadedPhoto(uploads)
}

const input = () => page.getByLabelText(/^Photos/)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const ids = () => list.state.get().photos.map(({ image }) => image?.id)

async function openField(count: number) {
  uploads = 0
  const shown = await renderInApp(<Field />)
  const calls = shown.api.on(uploadImage, uploaded)
  for (let added = 0; added < count; added += 1) {
    await userEvent.upload(input(), await picture(`${added + 1}.png`))
    await expect.poll(() => ids().at(-1)).toBe(added + 1)
  }
  return { ...shown, calls }
}

test('uploads chosen photos while the form is written, and sends their ids in their order', async () => {
  const { calls } = await openField(2)
  expect(calls.map(({ body }) => (body.get('image') as File).type.split('/')[0])).toEqual(['image', 'image'])

  const sent: unknown[] = []
  await list.submit(async (image_ids) => sent.push(image_ids))
  expect(sent).toEqual([[1, 2]])
})

test('the arrow keys move a photo; the first is the cover', async () => {
  await openField(3)
  await userEvent.click(button('Move photo 3 earlier'))
  await expect.poll(ids).toEqual([1, 3, 2])
  button('Move photo 2 earlier').element().focus()
  await userEvent.keyboard('{ArrowUp}')

  await expect.poll(ids).toEqual([3, 1, 2])
  await expect.element(page.getByRole('listitem').first().getByText('cover')).toBeVisible()
})

test('removing a photo moves the focus to the chooser and keeps the others', async () => {
  await openField(2)
  await userEvent.click(button('Remove photo 1'))

  await expect.poll(ids).toEqual([2])
  await expect.element(input()).toHaveFocus()
})

test('a file that is no picture is refused with a reason; the others stay', async () => {
  await openField(1)
  await userEvent.upload(input(), new File(['beans'], 'beans.pdf', { type: 'application/pdf' }))

  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(ids()).toEqual([1])
})

test('photos can be dropped on the field', async () => {
  await openField(0)
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(await picture('1.png'))
  page
    .getByText('Choose a photo')
    .element()
    .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))

  await expect.poll(ids).toEqual([1])
})

test('a damaged draft of photos is ignored', async () => {
  const { show } = await openField(1)
  await show(null)
  const database = await openDB(photoDatabase)
  for (const key of await database.getAllKeys('drafts'))
    await database.put('drafts', [{ key: 'photo', alt: null }], key)
  database.close()
  await show(<Field />)
  await userEvent.upload(input(), await picture('2.png'))

  await expect.poll(ids).toEqual([2])
})

test('more photos than a listing can have are refused with the limit', async () => {
  await openField(0)
  const files = await Promise.all(
    Array.from({ length: limits.photos.listing + 1 }, (_, index) => picture(`${index}.png`)),
  )
  await userEvent.upload(input(), files)

  await expect.element(page.getByText(listingMessages.tooManyPhotos, { exact: false })).toBeVisible()
  expect(list.state.get().photos.length).toBeLessThanOrEqual(limits.photos.listing)
})

test("a photo that the server refuses shows the reason, and 'Try again' uploads it again", async () => {
  const { api } = await openField(0)
  api.on(uploadImage, () => new Refusal(429, { detail: imageMessages.tooManyPerDay }))
  await userEvent.upload(input(), await picture('1.png'))
  await expect.element(page.getByText(imageMessages.tooManyPerDay, { exact: false })).toBeVisible()

  api.on(uploadImage, uploaded)
  await userEvent.click(button('Try again'))
  await expect.poll(ids).toEqual([1])
})

test('a photo that a full server refuses is sent again when the server asks for it', async () => {
  const { api } = await openField(0)
  const timers = vi.spyOn(window, 'setTimeout')
  const busy = new Refusal(503, { detail: errorMessages.unavailable }, { 'retry-after': '700' })
  api.on(uploadImage, () => busy)
  await userEvent.upload(input(), await picture('1.png'))

  await expect.poll(() => timers.mock.calls.map(([, delay]) => delay)).toContain(700_000)
  timers.mockRestore()
})

test('an upload that is older than the server keeps it is repeated before the form is sent', async () => {
  const { calls } = await openField(1)
  vi.setSystemTime(Date.now() + maxUploadAgeMs + 1)
  const sent: unknown[] = []
  await list.submit(async (image_ids) => sent.push(image_ids))
  vi.useRealTimers()

  expect(calls).toHaveLength(2)
  expect(sent).toEqual([[2]])
})

test('photos that the server does not have any more are uploaded again, and the form is sent once more', async () => {
  const { calls } = await openField(2)
  const sent: unknown[] = []
  await list.submit(async (image_ids) => {
    sent.push(image_ids)
    if (sent.length === 1) throw new ApiError({ status: 422, code: 'photos_not_usable' })
  })

  expect(calls).toHaveLength(4)
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('a description is saved with the form', async () => {
  const { api } = await openField(1)
  const changes = api.on(changeImage, ({ body }) => ({ ...uploadedPhoto(1), ...body }))
  await userEvent.click(page.getByText('Describe the photos'))
  await userEvent.fill(page.getByLabelText(/^Describe photo 1/), ' Six poles ')
  await list.submit(async () => {})

  expect(changes.map(({ body }) => body)).toEqual([{ alt: 'Six poles' }])
})

test('photos of a listing that are not changed are not sent', async () => {
  const saved = [uploadedPhoto(7)]
  await renderInApp(<Field saved={saved} />)
  await expect.poll(ids).toEqual([7])
  const sent: unknown[] = []
  await list.submit(async (image_ids) => sent.push(image_ids))
  expect(sent).toEqual([undefined])

  await userEvent.click(button('Remove photo 1'))
  await list.submit(async (image_ids) => sent.push(image_ids))
  expect(sent).toEqual([undefined, []])
})

test('a photo waits for a connection and is sent when there is one', async () => {
  const { api } = await openField(0)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  const calls = api.on(uploadImage, uploaded)
  await userEvent.upload(input(), await picture('1.png'))
  await expect.element(page.getByText('Waiting for a connection')).toBeVisible()
  expect(calls).toEqual([])
  vi.restoreAllMocks()
  dispatchEvent(new Event('online'))

  await expect.poll(ids).toEqual([1])
  await expect.element(page.getByText('Waiting for a connection')).not.toBeInTheDocument()
})

test('chosen photos are there when the form opens again', async () => {
  const { show } = await openField(2)
  await show(null)
  await expect.element(input()).not.toBeInTheDocument()
  await show(<Field />)

  await expect.poll(ids).toEqual([1, 2])
})

test('a photo that only the server can read has no warning once it is uploaded', async () => {
  await openField(0)
  const brand = new TextEncoder().encode('ftypheic')
  await userEvent.upload(input(), new File([new Uint8Array(4), brand, new Uint8Array(40)], 'lemons.heic'))

  await expect.poll(ids).toEqual([1])
  await expect.poll(() => list.state.get().photos[0]?.step).toBe('sent')
  await expect.element(page.getByText(warningText('failed'))).not.toBeInTheDocument()
  expect(list.state.get().photos[0]?.warning).toBeUndefined()
})
