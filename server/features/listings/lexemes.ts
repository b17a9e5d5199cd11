// How the column `search` of a listing writes the terms of its texts.

/** The lexeme of a term that is in the title. That of a term in the description alone is the term. */
export function titleLexeme(term: string): string {
  return `=${term}`
}

/** The `tsquery` of listings that have one of these terms anywhere. */
export function anyTermQuery(terms: readonly string[]): string {
  return anyLexemeQuery(terms.flatMap((term) => [term, titleLexeme(term)]))
}

/** The `tsquery` of listings that have one of these terms in the title. */
export function anyTitleTermQuery(terms: readonly string[]): string {
  return anyLexemeQuery(terms.map(titleLexeme))
}

/** Terms are letters, digits and the signs of concepts, so they need no escape. */
function anyLexemeQuery(lexemes: readonly string[]): string {
  return lexemes.map((lexeme) => `'${lexeme}'`).join(' | ')
}

/** The same as `anyTermQuery` in SQL, for the term of a column. */
export function termQueryOf(column: string): string {
  return `format('''%s'' | ''=%s''', ${column}, ${column})::tsquery`
}
