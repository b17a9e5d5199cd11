import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { singular } from './plurals.ts'
import { wordsOf } from './tokenize.ts'
import { type Trait, traitOf } from './trait.ts'
import { listOf, mapOf, readYaml, type Yaml, type YamlMap } from './yaml-file.ts'

/** The roles of words and phrases that are not names. The files in `lexicon/words/` explain each. */
const roles = [
  'qualifiers',
  'colors',
  'forms',
  'measures',
  'containers',
  'function_words',
  'conjunctions',
  'scope_terminators',
  'seeking',
  'trading',
  'giving',
  'purpose',
  'negations',
  'exceptions',
  'pseudo_negations',
  'gone',
  'status_labels',
  'mention_cues',
  'offering',
  'offered',
  'heads',
  'idioms',
] as const
export type Role = (typeof roles)[number]

/** The names of all lists. */
const listNames = new Set<string>([
  ...roles,
  ...['attributive_crops', 'nicknames', 'unambiguous_cultivars', 'emoji', 'traits'],
])

export interface Words {
  /** The roles by the singular words of the phrase, joined by spaces. */
  readonly phrases: ReadonlyMap<string, ReadonlySet<Role>>
  readonly longestPhrase: number
  /** Words that are not misspellings. */
  readonly ordinary: ReadonlySet<string>
  readonly attributiveCrops: ReadonlySet<string>
  /** Short forms of words of names. */
  readonly nicknames: ReadonlyMap<string, string>
  readonly unambiguousCultivars: ReadonlySet<string>
  /** The crop, group or thing of each emoji. */
  readonly emoji: ReadonlyMap<string, string>
  /** By the singular words of the phrase. */
  readonly traits: ReadonlyMap<string, Trait>
  /** The first words of the phrases in `traits`. */
  readonly traitStarts: ReadonlySet<string>
}

/** Reads the word lists of the lexicon's folder by name. Throws for an unknown list and for one in two files. */
export function readLists(lexiconFolder: string): YamlMap {
  const folder = join(lexiconFolder, 'words')
  const lists: Record<string, Yaml | undefined> = {}
  for (const file of readdirSync(folder).sort()) {
    for (const [name, list] of Object.entries(readYaml(join(folder, file)))) {
      if (!listNames.has(name)) throw new Error(`${file}: unknown list ${name}; words.ts names all lists`)
      if (name in lists) throw new Error(`${file}: another file has the list ${name} too; join them`)
      lists[name] = list
    }
  }
  return lists
}

/** Reads the words of the lexicon's folder. Throws as `readLists` does. */
export function readWords(folder: string): Words {
  const lists = readLists(folder)
  const phrases = new Map<string, Set<Role>>()
  const ordinary = new Set(readFileSync(join(folder, 'ordinary-words.txt'), 'utf8').split(/\s+/))
  let longestPhrase = 1
  const add = (phrase: string, role: Role) => {
    const words = wordsOf(phrase)
    const key = phraseKey(phrase)
    longestPhrase = Math.max(longestPhrase, words.length)
    phrases.set(key, (phrases.get(key) ?? new Set()).add(role))
    for (const word of words) ordinary.add(word).add(singular(word))
  }
  for (const role of roles) for (const phrase of listOf(lists[role])) add(phrase, role)
  const traits = new Map<string, Trait>()
  for (const [phrase, trait] of textsOf(lists.traits)) {
    const key = phraseKey(phrase)
    traits.set(key, traitOf(trait))
    if (key.includes(' ') && !phrases.has(key)) add(phrase, 'qualifiers')
  }
  return {
    phrases,
    longestPhrase,
    ordinary,
    attributiveCrops: keysOf(lists.attributive_crops),
    nicknames: new Map(textsOf(lists.nicknames)),
    unambiguousCultivars: keysOf(lists.unambiguous_cultivars),
    emoji: new Map(textsOf(lists.emoji)),
    traits,
    traitStarts: new Set(Array.from(traits.keys(), (phrase) => phrase.split(' ')[0] ?? '')),
  }
}

/** Returns the entries of a map whose values are texts. */
function textsOf(value: Yaml | undefined): [string, string][] {
  return Object.entries(mapOf(value)).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[key, text]] : [],
  )
}

function phraseKey(phrase: string): string {
  return wordsOf(phrase).map(singular).join(' ')
}

/** Returns the key of a phrase: "Sweet corns" and "sweetcorn" have the same one. */
export function keyOf(phrase: string): string {
  return wordsOf(phrase).map(singular).join('')
}

function keysOf(list: Yaml | undefined): Set<string> {
  return new Set(listOf(list).map(keyOf))
}
