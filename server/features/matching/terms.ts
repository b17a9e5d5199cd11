/** Returns the term of a word that the lexicon has no name for. */
export function wordTerm(word: string): string {
  return `word:${word}`
}

/** The term of everything that grows: "anything but zucchini". */
export const anything = 'group:anything'
