import { uploadProfileImage } from '#contract/auth.ts'
import type { Photo } from '#contract/images.ts'
import * as images from '#contract/images.ts'
import * as listings from '#contract/listings.ts'
import * as messages from '#contract/messages.ts'
import { getSiteSettings, saveSiteLogo } from '#contract/site-settings.ts'
import { photo } from '#test/pictures.ts'
import type { Fixture } from './fixture.ts'
import { type Row, row } from './row.ts'

const smallPhoto = () => photo({ width: 40, height: 40 })
/** Uploads a photo of the owner. */
const uploadPhoto = async ({ cast }: Fixture) =>
  cast.owner.call(images.uploadImage, { body: {}, file: await smallPhoto() })
/** Posts a listing of the owner and returns its photo. */
async function postPhoto(fixture: Fixture, changes: { is_public?: boolean; is_active?: boolean }) {
  const { id } = await uploadPhoto(fixture)
  const body = { title: 'Beans', price: 1, image_ids: [id], ...changes }
  const listing = await fixture.cast.owner.call(listings.createListing, { body })
  return listing.images[0] as Photo
}
/** Sends a photo from the owner to the neighbor. */
async function sendPhoto(fixture: Fixture) {
  const { cast, neighbor } = fixture
  const photo = await uploadPhoto(fixture)
  const body = { receiver_id: neighbor.id, content: '', image_ids: [photo.id] }
  await cast.owner.call(messages.sendMessage, { body })
  return photo
}
const paramsOf = ({ src }: Pick<Photo, 'src'>) => ({ params: { id: src.slice(src.lastIndexOf('/') + 1) } })

/** The desk sees the photos of all listings. */
function forDesk({ expected, ...row }: Row): Row {
  return { ...row, expected: { ...expected, moderator: { status: 200 }, operator: { status: 200 } } }
}

export const rowsOfImages: readonly Row[] = [
  row(images.uploadImage, "one's own", 201, async () => ({ body: {}, file: await smallPhoto() })),
  row(images.changeImage, 'of the owner', [404, 404, 200, 404], async (fixture) => {
    const { id } = await uploadPhoto(fixture)
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(images.changeImage, 'of a public listing', [404, 404, 200, 404], async (fixture) => {
    const { id } = await postPhoto(fixture, {})
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(images.getImage, 'of a public listing', 200, async (fixture) => paramsOf(await postPhoto(fixture, {}))),
  forDesk(
    row(images.getImage, "of a listing for the owner's friends", [404, 200, 200, 404, 401], async (fixture) =>
      paramsOf(await postPhoto(fixture, { is_public: false })),
    ),
  ),
  forDesk(
    row(images.getImage, 'of an inactive listing', [404, 404, 200, 404, 401], async (fixture) =>
      paramsOf(await postPhoto(fixture, { is_active: false })),
    ),
  ),
  forDesk(
    row(images.getImage, 'of a hidden listing', [404, 404, 200, 404, 401], async (fixture) => {
      const hidden = await postPhoto(fixture, {})
      await fixture.world.db
        .updateTable('listings')
        .set({ hidden_at: new Date().toISOString() })
        .where('owner_id', '=', fixture.cast.owner.id)
        .execute()
      return paramsOf(hidden)
    }),
  ),
  forDesk(
    row(images.getImage, 'of a listing that has ended', [404, 404, 200, 404, 401], async (fixture) => {
      const ended = await postPhoto(fixture, {})
      const { cast, world } = fixture
      const { id } = cast.owner
      await world.db
        .updateTable('listings')
        .set({ expires_at: new Date().toISOString() })
        .where('owner_id', '=', id)
        .execute()
      return paramsOf(ended)
    }),
  ),
  row(images.getImage, 'of the owner', 200, async ({ cast }) => {
    const { profile_picture } = await cast.owner.call(uploadProfileImage, {
      body: {},
      file: await smallPhoto(),
    })
    return paramsOf({ src: profile_picture ?? '' })
  }),
  row(images.getImage, 'of the site', 200, async ({ cast }) => {
    const { version } = await cast.operator.call(getSiteSettings)
    const { settings } = await cast.operator.call(saveSiteLogo, {
      body: { version },
      file: await smallPhoto(),
    })
    return paramsOf({ src: settings.logo?.src ?? '' })
  }),
  row(images.getImage, 'of no listing yet', [404, 404, 200, 404, 401], async (fixture) =>
    paramsOf(await uploadPhoto(fixture)),
  ),
  row(images.getImage, 'of a message of the owner', [404, 404, 200, 404, 401], async (fixture) =>
    paramsOf(await sendPhoto(fixture)),
  ),
  row(images.changeImage, 'of a message of the owner', 404, async (fixture) => {
    const { id } = await sendPhoto(fixture)
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(messages.sendMessage, 'with a photo of the owner', [422, 422, 201, 422], async (fixture) => ({
    body: {
      receiver_id: fixture.neighbor.id,
      content: '',
      image_ids: [(await uploadPhoto(fixture)).id],
    },
  })),
  row(images.getImage, 'by an unknown name', 404, () => ({ params: { id: `${'A'.repeat(22)}-160.webp` } })),
]
