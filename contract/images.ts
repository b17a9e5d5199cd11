import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A photo. `placeholder` is a small data URI to show while it loads, `srcset` an attribute for `<img>`. */
export const picture = z.object({
  width: z.int(),
  height: z.int(),
  placeholder: z.string(),
  srcset: z.string(),
})
export type Picture = z.output<typeof picture>

export const getImage = endpoint({
  method: 'GET',
  path: '/images/{name}',
  summary: 'A stored image, cacheable for good; its name can not be guessed',
  auth: 'anyone',
  params: z.object({ name: z.string() }),
  response: { 200: 'bytes' },
})
