import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readWordSet, type WordSet } from './word-set.ts'
import { pairsOf, readYamlIfAny, type Yaml, type YamlMap } from './yaml-file.ts'

/** An ending of a word, and what replaces it in another form of the word. */
export type Inflection = readonly [RegExp, string]

/** A folder of `lexicon/languages/`. Each of its files is optional. */
export interface Language {
  readonly code: string
  readonly folder: string
  /** From the singular to plurals that end with something else than "s". */
  readonly plurals: readonly Inflection[]
  readonly diminutives: readonly Inflection[]
  /** From the end of a phrase to its contraction with an article: "de" to "del". */
  readonly contractions: readonly Inflection[]
  /** True if the noun that a phrase is about comes first: "jaula de tomate", but "tomato cage". */
  readonly isHeadFirst: boolean
  /** Matches words that are no noun: "bolting" of "kale bolting". */
  readonly notNouns: RegExp | undefined
  /** The sentences of `reasons.yaml`. */
  readonly reasons: YamlMap
  /** The words that are never corrected. */
  readonly dictionary: WordSet | undefined
}

/** Reads the language folders of the lexicon. */
export function readLanguages(lexiconFolder: string): Language[] {
  const languages = join(lexiconFolder, 'languages')
  if (!existsSync(languages)) return []
  return readdirSync(languages)
    .sort()
    .map((code) => {
      const folder = join(languages, code)
      const dictionary = join(folder, 'dictionary.bloom')
      const [grammar, forms, reasons] = ['grammar.yaml', 'inflection.yaml', 'reasons.yaml'].map((file) =>
        readYamlIfAny(join(folder, file)),
      )
      return {
        code,
        folder,
        plurals: inflectionsOf(forms?.plurals),
        diminutives: inflectionsOf(forms?.diminutives),
        contractions: inflectionsOf(forms?.contractions),
        reasons: reasons ?? {},
        isHeadFirst: grammar?.head === 'first',
        notNouns: typeof grammar?.not_nouns === 'string' ? new RegExp(grammar.not_nouns) : undefined,
        dictionary: existsSync(dictionary) ? readWordSet(dictionary) : undefined,
      }
    })
}

function inflectionsOf(value: Yaml | undefined): Inflection[] {
  return pairsOf(value).map(([ending, replacement]) => [new RegExp(ending), replacement])
}

/** Returns the forms of a name by the endings of a language. Only the last word changes. */
export function inflected(name: string, inflections: readonly Inflection[]): string[] {
  const word = name.toLowerCase()
  if (!/^(?:\p{L}+ )*\p{L}{4,}$/u.test(word)) return []
  return inflections
    .filter(([ending]) => ending.test(word))
    .map(([ending, replacement]) => word.replace(ending, replacement))
}
