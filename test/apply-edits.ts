import { registerHooks } from 'node:module'

/** A bug for mutation testing: replaces texts of a file. The path is from the root. */
export interface Mutation {
  readonly file: string
  readonly edits: readonly (readonly [text: string, bug: string])[]
}

/** Applies the edits of a mutation when Node loads its file. */
export function applyEdits({ file, edits }: Mutation): void {
  const mutatedFile = new URL(`../${file}`, import.meta.url).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== mutatedFile) return loaded
      let source = String(loaded.source)
      for (const [text, bug] of edits) {
        if (!source.includes(text)) throw new Error(`${file} does not contain the mutated text: ${text}`)
        source = source.replace(text, () => bug)
      }
      return { ...loaded, source }
    },
  })
}
