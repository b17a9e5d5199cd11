import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A photo as a page shows it: `placeholder` is a tiny data URI to lay under it, `srcset` is ready for `<img>`. */
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
