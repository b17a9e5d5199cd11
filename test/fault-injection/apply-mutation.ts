// Is preloaded with the name of a mutation as the query of its URL. Applies the edits of the mutation when Node loads its file.
import { registerHooks } from 'node:module'
import { isMutation, mutations } from './mutations.ts'

const name = new URL(import.meta.url).search.slice(1)
if (!isMutation(name)) throw new Error(`There is no mutation ${name}`)
const { file, edits } = mutations[name]
const mutatedFile = new URL(`../../${file}`, import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== mutatedFile) return loaded
    let source = String(loaded.source)
    for (const [text, bug] of edits) {
      if (!source.includes(text)) throw new Error(`${file} does not contain the text of the mutation ${name}`)
      source = source.replace(text, () => bug)
    }
    return { ...loaded, source }
  },
})
