import type { Mutation } from '../apply-edits.ts'

/** Removes what only a build can read from the texts of the web client. */
export const englishOnly: Mutation = {
  file: 'web/i18n/i18n.ts',
  edits: [
    ["import.meta.glob<{ messages: Messages }>('../../locales/*/{contract,guest,members}.po')", '{}'],
    ['import.meta.env.SSR', 'true'],
  ],
}
