import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

type Token = ReturnType<typeof compileMessageOrThrow>[number]
type Part = Exclude<Token, string>

/** Returns the arguments of an ICU message, also those in the branches of its plurals. */
function partsOf(tokens: readonly Token[]): Part[] {
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    const branches = Object.values(token[2] ?? {}).filter((branch) => Array.isArray(branch))
    return [token, ...branches.flatMap(partsOf)]
  })
}

/** Returns the arguments of an ICU message with their types, such as "count plural". */
export function argumentsOf(text: string): string[] {
  const names = partsOf(compileMessageOrThrow(text)).map(([name, type = '']) => `${name} ${type}`)
  return [...new Set(names)].sort()
}

/** Returns the plural categories of counts in a language that a plural of the message lacks. */
export function missingCategories(text: string, language: string): string[] {
  const rules = new Intl.PluralRules(language)
  const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))
  const plurals = partsOf(compileMessageOrThrow(text)).filter(([, type]) => type === 'plural')
  return plurals.flatMap(([, , branches]) =>
    [...needed].filter((name) => !Object.hasOwn(Object(branches), name)),
  )
}
