import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listOf, mapOf, pairsOf, readYamlIfAny } from './yaml-file.ts'

const languages = join(import.meta.dirname, 'lexicon/languages')
const inflections = readdirSync(languages).map((code) =>
  readYamlIfAny(join(languages, code, 'inflection.yaml')),
)

const irregular: ReadonlyMap<string, string> = new Map(
  inflections.flatMap(({ irregular }) =>
    Object.entries(mapOf(irregular)).map(([plural, word]) => [plural, listOf(word)[0] ?? plural]),
  ),
)
/** The first that fits gives the singular by which words are compared. */
const rules: readonly (readonly [RegExp, string])[] = inflections.flatMap(({ singulars }) =>
  pairsOf(singulars).map(([ending, replacement]) => [new RegExp(ending), replacement] as const),
)
const anyRule = new RegExp(rules.map(([ending]) => ending.source).join('|'))
const endings: readonly (readonly [string, string])[] = inflections.flatMap(({ possible_singulars }) =>
  pairsOf(possible_singulars),
)

/** Returns the singular of a word by rule. Words of the lexicon are compared in this form too. */
export function singular(word: string): string {
  const known = irregular.get(word)
  if (known) return known
  if (word.length < 4 || !anyRule.test(word)) return word
  const rule = rules.find(([ending]) => ending.test(word))
  return rule ? word.replace(rule[0], rule[1]) : word
}

/** Returns the possible singulars of a word: the word itself, then others by likelihood. */
export function singulars(word: string): string[] {
  const known = irregular.get(word)
  const fitting = endings.filter(([ending]) => word.endsWith(ending) && word.length - ending.length >= 2)
  const forms = fitting.map(([ending, replacement]) => word.slice(0, -ending.length) + replacement)
  return known ? [word, known, ...forms] : [word, ...forms]
}
