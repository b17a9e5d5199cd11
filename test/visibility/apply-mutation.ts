// Is preloaded with the name of a mutation as the query of its URL.
import { applyEdits } from '../apply-edits.ts'
import { mutations } from './mutations.ts'

const name = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const mutation = mutations[name]
if (!mutation) throw new Error(`There is no mutation ${name}`)
applyEdits(mutation)
