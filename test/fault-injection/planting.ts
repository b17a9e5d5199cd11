// Loaded before everything else, with the name of a plant in its address: hands Node a file with the bug in it.
import { registerHooks } from 'node:module'
import { isPlant, plants } from './plants.ts'

const name = new URL(import.meta.url).search.slice(1)
if (!isPlant(name)) throw new Error(`There is no plant ${name}`)
const { file, text, bug } = plants[name]
const place = new URL(`../../${file}`, import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== place) return loaded
    const source = String(loaded.source)
    if (!source.includes(text)) throw new Error(`${file} has no place for the plant ${name}`)
    return { ...loaded, source: source.replace(text, () => bug) }
  },
})
