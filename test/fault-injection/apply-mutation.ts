// Is preloaded with the name of a mutation as the query of its URL.
import { applyEdits } from '../apply-edits.ts'
import { isMutation, mutations } from './mutations.ts'

const name = new URL(import.meta.url).search.slice(1)
if (!isMutation(name)) throw new Error(`There is no mutation ${name}`)
applyEdits(mutations[name])
