import { registerHooks } from 'node:module'

/** A bug for mutation testing: replaces texts of a file. The path is from the root. */
export interface Mutation {
  readonly file: string
  readonly edits: readonly (readonly [text: string, bug: string])[]
}

/** Applies the edits of a mutation when Node loads its file. */
export function applyEdits(mutation: Mutation): void {
  const mutatedFile = new URL(`../${mutation.file}`, import.meta.url).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      return url === mutatedFile ? { ...loaded, source: edited(String(loaded.source), mutation) } : loaded
    },
  })
}

/** Returns the source of the mutated file with the edits. Throws unless it contains the text of each edit once. */
export function edited(source: string, { file, edits }: Mutation): string {
  return edits.reduce((before, [text, bug]) => {
    const count = before.split(text).length - 1
    if (count !== 1) throw new Error(`${file} contains the mutated text ${count} times: ${text}`)
    return before.replace(text, () => bug)
  }, source)
}
