import type { ExtractorType } from '@lingui/conf'

/** The functions whose first argument is an English text: `msg(…)`, `t(…)` and `reader.t(…)`. */
const markers = new Set(['msg', 't'])

/** Returns the marked texts of a module that runs without a build. */
export async function markedTexts(file: string, code: string): Promise<string[]> {
  // Lingui reads its configuration synchronously, which Vite does not allow.
  const { parseSync, Visitor } = await import('vite')
  const texts: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [text] }) {
      const called = callee.type === 'MemberExpression' ? callee.property : callee
      const isMarked = called.type === 'Identifier' && markers.has(called.name)
      if (isMarked && text?.type === 'Literal' && typeof text.value === 'string') texts.push(text.value)
    },
  }).visit(parseSync(file, code).program)
  return texts
}

/** Finds the marked texts of the contract and the server for `lingui extract`. Their ids are their English. */
export const markedMessages: ExtractorType = {
  match: (file) => /\/(?:contract|server)\/.*\.ts$/.test(file),
  async extract(file, code, found) {
    for (const text of await markedTexts(file, code))
      found({ id: text, message: text, placeholders: {}, origin: [file, 1] })
  },
}
