// Is preloaded by pages: replaces Lingui's macros and the glob of its catalogs, which only a build can read. All texts are English.
import { registerHooks } from 'node:module'
import { applyEdits } from '../apply-edits.ts'
import { englishOnly } from './english-only.ts'

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === '@lingui/core/macro' ? new URL('./english-macros.ts', import.meta.url).href : specifier,
      context,
    ),
})
applyEdits(englishOnly)
