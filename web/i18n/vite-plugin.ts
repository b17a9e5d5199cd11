import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { lingui } from '@lingui/vite-plugin'
import { type Plugin, type PluginOption, parseSync, Visitor } from 'vite'

/** Transforms the macros and the catalogs. */
export function translations(): PluginOption {
  return [
    lingui({ macroTransform: { macro: { descriptorFields: 'message' } }, failOnCompileError: true }),
    compileEnglish(),
  ]
}

/**
 * Compiles the English texts of the macros. They stay in the code, because English has no catalog and a missing translation shows
 * English. Without it, the browser would need Lingui's parser.
 */
function compileEnglish(): Plugin {
  return {
    name: 'rhubarb:compile-english',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: /\/\*i18n\*\// },
      handler(code) {
        const texts: { start: number; end: number; compiled: string }[] = []
        new Visitor({
          ObjectExpression({ properties }) {
            const fields = new Map(
              properties.flatMap((property) =>
                property.type === 'Property' && property.key.type === 'Identifier'
                  ? [[property.key.name, property.value] as const]
                  : [],
              ),
            )
            const text = fields.get('message')
            if (!fields.has('id') || text?.type !== 'Literal' || typeof text.value !== 'string') return
            const compiled = JSON.stringify(compileMessageOrThrow(text.value))
            texts.push({ start: text.start, end: text.end, compiled })
          },
        }).visit(parseSync('module.jsx', code).program)
        return texts
          .sort((a, b) => b.start - a.start)
          .reduce((done, { start, end, compiled }) => done.slice(0, start) + compiled + done.slice(end), code)
      },
    },
  }
}
