/** The languages that have every text. In others, a text without a translation is English. */
export const completeLanguages: readonly string[] = ['ar', 'de', 'es']
