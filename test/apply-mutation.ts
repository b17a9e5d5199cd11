// Is preloaded with a mutation as JSON in the query of its URL.
import { z } from 'zod'
import { applyEdits } from './apply-edits.ts'

const mutation = z.object({ file: z.string(), edits: z.array(z.tuple([z.string(), z.string()])) })

applyEdits(mutation.parse(JSON.parse(decodeURIComponent(new URL(import.meta.url).search.slice(1)))))
