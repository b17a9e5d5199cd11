// Converts index terms to lexemes of the column `search` of a listing and to full-text queries.

/** Returns the lexeme of a term in the title. The lexeme of a term that is only in the description is the term itself. */
export function titleLexeme(term: string): string {
  return `=${term}`
}

/** Returns the `tsquery` of listings that have one of these terms anywhere. */
export function anyTermQuery(terms: readonly string[]): string {
  return anyLexemeQuery(terms.flatMap((term) => [term, titleLexeme(term)]))
}

/** Returns the `tsquery` of listings that have one of these terms in the title. */
export function anyTitleTermQuery(terms: readonly string[]): string {
  return anyLexemeQuery(terms.map(titleLexeme))
}

/** Returns the `tsquery` of any of these lexemes. They have no quotes or backslashes, so they need no escaping. */
function anyLexemeQuery(lexemes: readonly string[]): string {
  return lexemes.map((lexeme) => `'${lexeme}'`).join(' | ')
}

/** Returns `anyTermQuery` as SQL for the term of a column. */
export function termQueryOf(column: string): string {
  return `format('''%s'' | ''=%s''', ${column}, ${column})::tsquery`
}
