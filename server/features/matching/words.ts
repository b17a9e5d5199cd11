import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold, plain } from './fold.ts'
import { type Form, formNamed } from './form.ts'
import { inflected, type Language } from './languages.ts'
import { singular } from './plurals.ts'
import { wordsOf } from './tokenize.ts'
import { type Trait, traitOf } from './trait.ts'
import { listOf, mapOf, readYaml, type Yaml, type YamlMap } from './yaml-file.ts'

/** The roles of words and phrases that are not names. The files in `lexicon/languages/en/words/` explain each. */
const roles = [
  'qualifiers',
  'colors',
  'forms',
  'measures',
  'containers',
  'function_words',
  'articles',
  'conjunctions',
  'scope_terminators',
  'seeking',
  'taking',
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
  'sources',
  'links',
  'fillings',
  'comparisons',
  'name_cues',
  'name_places',
  'beings',
  'appositions',
  'idioms',
] as const
export type Role = (typeof roles)[number]

/** The names of all lists. */
const listNames = new Set<string>([
  ...roles,
  ...[
    'attributive_crops',
    'proper_names',
    'form_values',
    'nicknames',
    'unambiguous_cultivars',
    'emoji',
    'traits',
    'stop_words',
    'young_plants',
  ],
])

/** The words of all languages together. */
export interface Words {
  /** By the singular words of the phrase, joined by spaces. */
  readonly phrases: ReadonlyMap<string, ReadonlySet<Role>>
  /** The number of words of the longest phrase that begins with a word. */
  readonly longestPhrases: ReadonlyMap<string, number>
  /** The codes of the languages by each of their phrases of one word. */
  readonly phraseLanguages: ReadonlyMap<string, readonly string[]>
  /** The same by each word of all phrases and by the frequent words. */
  readonly languages: ReadonlyMap<string, readonly string[]>
  readonly attributiveCrops: ReadonlySet<string>
  /** Names of crops and cultivars that people, pets and places bear too. */
  readonly properNames: ReadonlySet<string>
  /** Short forms of words of names. */
  readonly nicknames: ReadonlyMap<string, string>
  readonly unambiguousCultivars: ReadonlySet<string>
  /** The crop, group or thing of each emoji. */
  readonly emoji: ReadonlyMap<string, string>
  /** Maps words beside a name to what is offered of the crop, by the singular words of the phrase. */
  readonly forms: ReadonlyMap<string, Form>
  /** By the singular words of the phrase. */
  readonly traits: ReadonlyMap<string, Trait>
  /** The first words of the phrases in `traits`. */
  readonly traitStarts: ReadonlySet<string>
  /** Words that a search ignores. */
  readonly stopWords: ReadonlySet<string>
  /** Words for young plants in the singular. */
  readonly youngPlants: ReadonlySet<string>
}

/** Reads the word lists of a language by name. Throws for an unknown list and for one in two files. */
export function readLists({ folder }: Pick<Language, 'folder'>): YamlMap {
  const words = join(folder, 'words')
  const lists: Record<string, Yaml | undefined> = {}
  if (!existsSync(words)) return lists
  for (const file of readdirSync(words).sort()) {
    for (const [name, list] of Object.entries(readYaml(join(words, file)))) {
      if (!listNames.has(name)) throw new Error(`${file}: unknown list ${name}; words.ts names all lists`)
      if (name in lists) throw new Error(`${file}: another file has the list ${name} too; join them`)
      lists[name] = list
    }
  }
  return lists
}

/** Reads the words of all languages. Throws as `readLists` does. */
export function readWords(languages: readonly Language[]): Words {
  const words = new WordsReader()
  for (const language of languages) words.addLanguage(language)
  return words
}

class WordsReader implements Words {
  readonly phrases = new Map<string, ReadonlySet<Role>>()
  readonly longestPhrases = new Map<string, number>()
  readonly phraseLanguages = new Map<string, string[]>()
  readonly languages = new Map<string, string[]>()
  readonly attributiveCrops = new Set<string>()
  readonly properNames = new Set<string>()
  readonly nicknames = new Map<string, string>()
  readonly unambiguousCultivars = new Set<string>()
  readonly emoji = new Map<string, string>()
  readonly forms = new Map<string, Form>()
  readonly traits = new Map<string, Trait>()
  readonly traitStarts = new Set<string>()
  readonly stopWords = new Set<string>()
  readonly youngPlants = new Set<string>()

  addLanguage(language: Language): void {
    const lists = readLists(language)
    const frequent = join(language.folder, 'ordinary-words.txt')
    if (existsSync(frequent))
      for (const word of readFileSync(frequent, 'utf8').split(/\s+/)) addWord(this.languages, word, language)
    for (const [phrase, trait] of textsOf(lists.traits))
      for (const key of this.keysOf(phrase, language)) {
        this.traits.set(key, traitOf(trait))
        this.traitStarts.add(key.split(' ')[0] ?? '')
      }
    for (const [phrase, form] of textsOf(lists.form_values))
      for (const key of isPlural(phrase) ? [phrase] : this.keysOf(phrase, language))
        this.forms.set(key, formNamed(form))
    for (const role of roles) for (const phrase of listOf(lists[role])) this.addPhrase(phrase, role, language)
    const traitPhrases = textsOf(lists.traits).map(([phrase]) => phrase)
    const formPhrases = textsOf(lists.form_values).map(([phrase]) => phrase)
    const longer = [...traitPhrases, ...formPhrases].filter((phrase) => phrase.includes(' '))
    this.addMissing(longer, 'qualifiers', language)
    this.addMissing(formPhrases, 'forms', language)
    for (const [short, word] of textsOf(lists.nicknames)) this.nicknames.set(short, singular(word))
    for (const [emoji, key] of textsOf(lists.emoji)) this.emoji.set(emoji, key)
    for (const word of listOf(lists.stop_words)) this.stopWords.add(plain(fold(word)))
    for (const word of listOf(lists.young_plants)) this.youngPlants.add(phraseKey(word))
    for (const name of listOf(lists.attributive_crops)) this.attributiveCrops.add(keyOf(name))
    for (const name of listOf(lists.proper_names)) this.properNames.add(keyOf(name))
    for (const name of listOf(lists.unambiguous_cultivars)) this.unambiguousCultivars.add(keyOf(name))
  }

  /** Gives a role to the phrases that have none. */
  private addMissing(phrases: readonly string[], role: Role, language: Language): void {
    for (const phrase of phrases)
      if (!this.phrases.has(phraseKey(phrase))) this.addPhrase(phrase, role, language)
  }

  private addPhrase(phrase: string, role: Role, language: Language): void {
    for (const key of this.keysOf(phrase, language)) {
      this.phrases.set(key, new Set([...(this.phrases.get(key) ?? []), role]))
      const words = key.split(' ')
      const [first = ''] = words
      this.longestPhrases.set(first, Math.max(words.length, this.longestPhrases.get(first) ?? 0))
    }
    const words = wordsOf(phrase)
    for (const word of words) addWord(this.languages, word, language)
    // "Eau de toilette" does not make "de" English.
    if (words.length === 1) addWord(this.phraseLanguages, words[0] ?? '', language)
  }

  /** Returns the key of a phrase with its contractions or, for one word, its plurals that end with something else than "s". */
  private keysOf(phrase: string, { plurals, contractions }: Language): string[] {
    const key = phraseKey(phrase)
    if (!key.includes(' ')) return [key, ...inflected(key, plurals).map(phraseKey)]
    return [
      key,
      ...contractions.filter(([end]) => end.test(key)).map(([end, other]) => key.replace(end, other)),
    ]
  }
}

function addWord(languages: Map<string, string[]>, word: string, { code }: Language): void {
  for (const form of new Set([word, singular(word)])) {
    const codes = languages.get(form) ?? []
    if (!codes.includes(code)) languages.set(form, [...codes, code])
  }
}

/** Returns the entries of a map whose values are texts. */
function textsOf(value: Yaml | undefined): [string, string][] {
  return Object.entries(mapOf(value)).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[key, text]] : [],
  )
}

/** Returns whether a phrase differs from its singular: "greens" are leaves, but "green" is a color. */
function isPlural(phrase: string): boolean {
  return phraseKey(phrase) !== wordsOf(phrase).join(' ')
}

function phraseKey(phrase: string): string {
  return wordsOf(phrase).map(singular).join(' ')
}

/** Returns the key of a phrase: "Sweet corns" and "sweetcorn" have the same one. */
export function keyOf(phrase: string): string {
  return wordsOf(phrase).map(singular).join('')
}
