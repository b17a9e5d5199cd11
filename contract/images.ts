import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { id, line } from './fields.ts'
import { msg } from './message.ts'

export const imageMessages = {
  notFound: msg('Photo not found'),
  photoNeeded: msg('Please choose a photo'),
  notUsable: msg('Please add only photos of your own that are not used elsewhere'),
  repeated: msg('Please add each photo once'),
  altTooLong: msg('The description of a photo can have at most {max} characters', {
    max: limits.photos.alt,
  }),
  tooManyPerDay: msg('You can add at most {max} photos a day', { max: limits.photos.uploadsPerDay }),
  tooManyMegabytesPerDay: msg('You can send at most {max} MB of photos a day', {
    max: limits.photos.uploadedMegabytesPerDay,
  }),
  tooMuchDecodingPerDay: msg('Your photos have taken all the time that the server has for them in a day'),
  tooManyAtATime: msg('You can send at most {max} photos at a time. Please wait until one has arrived.', {
    max: limits.photos.uploadsAtATime,
  }),
  quotaExceeded: msg('Your photos take up {max} MB, which is all there is. Please remove some first.', {
    max: limits.photos.maxMegabytes,
  }),
} as const

/** The sizes of a photo for a responsive `<img>`. `placeholder` is a small data URI to show while it loads. */
export const responsiveImage = z.object({
  width: z.int(),
  height: z.int(),
  placeholder: z.string(),
  srcset: z.string(),
})
export type ResponsiveImage = z.output<typeof responsiveImage>

const examplePhoto = {
  id: 12,
  src: '/api/images/Zk3vQ8sYp1uWcT0eRn5b2A-640.webp',
  srcset:
    '/api/images/Zk3vQ8sYp1uWcT0eRn5b2A-160.webp 160w, /api/images/Zk3vQ8sYp1uWcT0eRn5b2A-640.webp 640w',
  width: 640,
  height: 480,
  placeholder: 'data:image/webp;base64,UklGRg==',
  alt: 'Three crowns in a bucket',
}

/** A photo of a listing or a message. `src` and `srcset` are attributes for `<img>`; `alt` is null unless its owner has described it. */
export const photo = z
  .extend(responsiveImage, { id: z.int(), src: z.string(), alt: z.nullable(z.string()) })
  .check(z.meta({ examples: [examplePhoto] }))
export type Photo = z.output<typeof photo>

/** Returns a schema for the ids of photos in their order. In a form they are separated by commas. */
export function imageIds(max: number, tooMany: string) {
  return z.array(id).check(
    z.maxLength(max, tooMany),
    z.refine((ids) => new Set(ids).size === ids.length, imageMessages.repeated),
    z.meta({ examples: [[12, 14]] }),
  )
}

export const uploadImage = endpoint({
  method: 'POST',
  path: '/images',
  summary: 'Upload a photo for a listing or a message; an unused photo is deleted after a day',
  auth: 'member',
  body: z.object({}),
  encoding: 'multipart',
  file: 'image',
  response: { 201: photo },
})

export const changeImage = endpoint({
  method: 'PATCH',
  path: '/images/{id}',
  summary: 'Set the alternative text of a photo; an empty text removes it',
  auth: 'member',
  params: z.object({ id }),
  notFound: imageMessages.notFound,
  body: z.object({
    alt: z
      .nullable(line(limits.photos.alt, imageMessages.altTooLong))
      .check(z.meta({ examples: [examplePhoto.alt] })),
  }),
  response: { 200: photo },
})

/**
 * Serves photos of members and of public listings to everybody. Other photos need the session of a member who may see them, as a
 * bearer token or in the cookie of pages.
 */
export const getImage = endpoint({
  method: 'GET',
  path: '/images/{id}',
  summary: 'Get an image; a private photo needs a session that may see it',
  auth: 'optional',
  /** The id is the name of a stored size. */
  params: z.object({ id: z.string() }),
  response: { 200: 'bytes' },
})
