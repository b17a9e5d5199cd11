import { join } from 'node:path'
import { type Concept, Cultivar, type Sense, uniqueConcepts } from './concept.ts'
import {
  type CropName,
  genusOf,
  latinNames,
  lineage,
  namesCrops,
  namesOfCrop,
  withoutEnding,
} from './crop-names.ts'
import {
  type Crop,
  cultivarTerm,
  type Foreign,
  type LexiconData,
  readLexiconData,
  traitsOf,
} from './crops.ts'
import { plain } from './fold.ts'
import { enclosingGroups, groupsOf } from './groups.ts'
import { inflected, type Language, readLanguages } from './languages.ts'
import { singular, singulars } from './plurals.ts'
import { SpellingIndex } from './spelling-index.ts'
import { languageOf } from './text-language.ts'
import { wordsOf } from './tokenize.ts'
import { noTraits } from './trait.ts'
import { keyOf, type Role, readWords, type Words } from './words.ts'

interface ForeignName {
  readonly name: string
  readonly language: string
  readonly concept: Concept
}

const longestName = 6
/** Names of only such words are ambiguous. */
const everyday: readonly Role[] = ['qualifiers', 'colors', 'forms']
/** The same for names of one word. */
const everydayAlone: readonly Role[] = [...everyday, 'measures', 'containers', 'function_words', 'heads']

export class Lexicon {
  readonly words: Words
  readonly data: LexiconData
  readonly concepts = new Map<string, Concept>()
  private readonly names = new Map<string, Sense[]>()
  private readonly languages: readonly Language[]
  /** The languages with a dictionary. Posts are written in them. */
  private readonly spoken: readonly Language[]
  /** The first words of names with the number of words of the longest one. */
  private readonly nameStarts = new Map<string, number>()
  /** Names of cultivars in everyday words, without that of the crop: "Provider", "Lemon Drop". */
  private readonly bareNames = new Map<string, Sense[]>()
  /** The first words of bare names with the number of words of the longest one. */
  private readonly bareNameStarts = new Map<string, number>()
  /** The words of all names, as candidates for misspelt words. */
  private readonly spellings = new Set<string>()
  /** The words of names in the languages of posts by their plurals and diminutives: "limón" of "limones". */
  private readonly spokenForms = new Map<string, string>()
  private readonly plainCropNames = new Set<string>()
  private readonly foreignNames: ForeignName[] = []
  /** Names of cultivars without that of the crop. They are added last, if nothing else has them. */
  private readonly shortened: { name: string; words: string[]; concept: Concept }[] = []
  private cachedSpellingIndex: SpellingIndex | undefined

  constructor(data: LexiconData, words: Words, languages: readonly Language[]) {
    this.words = words
    this.languages = languages
    this.spoken = languages.filter(({ dictionary }) => dictionary)
    this.data = data
    this.addGroups()
    this.addThings()
    this.addCrops()
  }

  /** Returns the number of words of the longest name that begins with this one, or 2: a name of one word may be written as two. */
  longestNameFrom(word: string | undefined): number {
    return this.nameStarts.get(word ?? '') ?? 2
  }

  /** Returns the senses of a name, given as its singular words joined together. */
  sensesOf(key: string): readonly Sense[] {
    return this.names.get(key) ?? []
  }

  /** Returns the senses of a name in a text of this language. Beside the language's own senses, others don't count. */
  sensesIn(key: string, language: string): readonly Sense[] {
    const senses = this.sensesOf(key)
    if (senses.length === 0 || language === 'en') return senses.length < 2 ? senses : uniqueConcepts(senses)
    const own = senses.filter((sense) => sense.language === language)
    if (own.length > 0) return own.map((sense) => ({ ...sense, isAmbiguous: false }))
    const isOtherWord = this.languages.some(
      ({ code, dictionary }) => code === language && dictionary?.has(key),
    )
    return uniqueConcepts(isOtherWord ? senses.filter((sense) => sense.language === 'la') : senses)
  }

  /** Returns the cultivars that an everyday word may name if its neighbors allow it. */
  bareSensesOf(key: string): readonly Sense[] {
    return this.bareNames.get(key) ?? []
  }

  /** Returns the number of words of the longest bare name that begins with this one, or 0. */
  longestBareName(word: string | undefined): number {
    return this.bareNameStarts.get(word ?? '') ?? 0
  }

  /** Returns the word in the form in which the lexicon's names have it, or undefined if none has it. */
  canonicalForm(word: string): string | undefined {
    const fullWord = this.words.nicknames.get(word) ?? this.words.nicknames.get(singular(word))
    if (fullWord !== undefined) return fullWord
    const isKnown = (form: string) => this.spellings.has(form) || this.names.has(form)
    if (isKnown(word)) return word
    const forms = singulars(word)
    const known = forms.find(isKnown)
    const spoken = forms.find((form) => this.spokenForms.has(form))
    return spoken === undefined ? known : this.spokenForms.get(spoken)
  }

  /** Returns words of names that an unknown word may be a misspelling of, nearest first. */
  suggestionsFor(word: string): { word: string; editDistance: number }[] {
    const guesses = [...new Set([singular(word), word])].flatMap((form) => this.spellingIndex().guesses(form))
    return guesses.sort((a, b) => a.editDistance - b.editDistance)
  }

  /** Returns the spelling index; built on first use. */
  spellingIndex(): SpellingIndex {
    this.cachedSpellingIndex ??= new SpellingIndex(this.spellings)
    return this.cachedSpellingIndex
  }

  /** Returns whether the dictionary of English or of this language has the word, or a phrase of `words/`: it is spelt correctly. */
  isWord(word: string, language: string): boolean {
    return (
      this.isOrdinary(word) ||
      this.languages.some(
        ({ code, dictionary }) => (code === 'en' || code === language) && dictionary?.has(word) === true,
      )
    )
  }

  /** Returns the code of the language of a text. */
  languageOf(words: readonly string[]): string {
    return languageOf(words, this.words, this.spoken)
  }

  language(code: string): Language | undefined {
    return this.languages.find((language) => language.code === code)
  }

  /** Returns whether the word is frequent or has a meaning of its own, in this language or in any. */
  isOrdinary(word: string, language?: string): boolean {
    const { languages } = this.words
    return [word, singular(word)].some((form) => {
      const codes = languages.get(form)
      return codes !== undefined && (language === undefined || codes.includes(language))
    })
  }

  concept(term: string): Concept | undefined {
    return this.concepts.get(term)
  }

  private addGroups(): void {
    for (const group of this.data.groups) {
      const concept = this.addConcept({
        term: `group:${group.key}`,
        kind: 'group',
        name: group.one,
        ancestors: enclosingGroups([group.key], this.data.groups),
        traits: noTraits,
      })
      for (const name of [group.one, ...group.names])
        this.addName(name, concept, { isAmbiguous: this.isEveryday(wordsOf(name).map(singular)) })
      this.addForeignNames(group.foreign, concept)
    }
  }

  private addThings(): void {
    const of = new Map(this.data.things.map((thing) => [thing.key, thing.of]))
    for (const thing of this.data.things) {
      const ancestors = [thing.key, ...(of.get(thing.key) ?? [])].map((key) => `thing:${key}`)
      const [name = thing.key] = thing.names
      const concept = this.addConcept({
        term: `thing:${thing.key}`,
        kind: 'thing',
        name,
        ancestors: new Set(ancestors),
        traits: traitsOf(this.data, ancestors),
      })
      for (const other of thing.names) this.addName(other, concept)
      this.addForeignNames(thing.foreign, concept)
    }
  }

  private addCrops(): void {
    const byKey = new Map(this.data.crops.map((crop) => [crop.key, crop]))
    const namesByCrop = new Map(this.data.crops.map((crop) => [crop, namesOfCrop(crop)]))
    for (const cropNames of namesByCrop.values())
      for (const { words } of cropNames) this.plainCropNames.add(words.join(''))
    const genera = new Map<string, Concept[]>()
    for (const crop of this.data.crops) {
      const cropLineage = lineage(crop, byKey)
      const ancestors = new Set(cropLineage.map(({ key }) => key))
      for (const term of groupsOf(cropLineage, this.data.groups)) ancestors.add(term)
      const cropNames = namesByCrop.get(crop) ?? []
      const name = cropNames[0]?.name ?? crop.key
      const traits = traitsOf(this.data, ancestors)
      const concept = this.addConcept({ term: crop.key, kind: 'crop', name, ancestors, traits })
      const cultivars = new Map(crop.cultivars.map((cultivar) => [keyOf(cultivar), cultivar]))
      for (const { name, words } of cropNames)
        if (!cropNames.some((other) => cultivars.has(withoutEnding(words, other.words).join(''))))
          this.addName(name, concept, { words, isAmbiguous: this.isEveryday(words) })
      this.addForeignNames(crop.spoken, concept)
      this.addForeignNames(crop.foreign, concept)
      for (const latin of crop.latin) this.addLatinName(latin, concept, genera)
      for (const cultivar of crop.cultivars) this.addCultivar(cultivar, crop, concept, cropNames, cultivars)
    }
    this.addShortened()
    const isSpoken = ({ language }: ForeignName) => this.spoken.some(({ code }) => code === language)
    // Reasons use the first name that a text's word may be: "limón" before the Italian "limone".
    const own = this.foreignNames.filter(isSpoken)
    const others = this.foreignNames.filter((name) => !isSpoken(name))
    for (const { name, language, concept } of own) this.addForeignName(name, language, concept)
    for (const { name, language } of own) this.addSpokenForms(name, language)
    for (const { name, language, concept } of others) this.addForeignName(name, language, concept)
    this.addInflected(others)
    for (const [genus, concepts] of genera) {
      if (this.plainCropNames.has(keyOf(genus))) continue
      const widest = concepts.find(({ term }) => concepts.every(({ ancestors }) => ancestors.has(term)))
      if (widest) this.addName(genus, widest, { language: 'la' })
      else if (concepts.length <= 6)
        for (const concept of concepts) this.addName(genus, concept, { language: 'la' })
    }
  }

  private addForeignNames(foreign: Foreign, concept: Concept): void {
    for (const [language, names] of Object.entries(foreign))
      for (const name of names) this.foreignNames.push({ name, language, concept })
  }

  private addForeignName(name: string, language: string, concept: Concept): void {
    // The other languages' words don't make a name ambiguous in Spanish, whose texts are recognized as such.
    const meaningIn = this.spoken.some(({ code }) => code === language) ? 'en' : undefined
    for (const spelt of new Set([name, plain(name.toLowerCase())])) {
      const words = wordsOf(spelt).map(singular)
      const key = words.join('')
      if (key.length >= 3 || (key.length === 2 && /\P{ASCII}/u.test(key)))
        this.addName(name, concept, { words, isAmbiguous: this.isOrdinary(key, meaningIn), language })
    }
  }

  private addLatinName(latin: string, concept: Concept, genera: Map<string, Concept[]>): void {
    for (const name of latinNames(latin)) this.addName(name, concept, { language: 'la' })
    const genus = genusOf(latin)
    const same = genera.get(genus) ?? []
    if (!same.includes(concept)) genera.set(genus, [...same, concept])
  }

  private addCultivar(
    cultivar: string,
    crop: Crop,
    parent: Concept,
    cropNames: readonly CropName[],
    cultivars: ReadonlyMap<string, string>,
  ): void {
    // "Juliet Tomato" of the grape tomatoes is also called "Juliet". Both are the same cultivar.
    const endings = [...cropNames.map(({ words }) => words), wordsOf(crop.key).slice(-1)]
    const words = wordsOf(cultivar).map(singular)
    const twin = endings.flatMap((ending) => cultivars.get(withoutEnding(words, ending).join('')) ?? [])[0]
    const name = twin ?? cultivar
    const term = cultivarTerm(crop.key, name)
    const concept =
      this.concepts.get(term) ??
      this.addConcept(
        new Cultivar(term, name, parent, traitsOf(this.data, [term]), () => this.widerThan(name, parent)),
      )
    for (const name of [cultivar, ...(crop.aliases[cultivar] ?? [])])
      this.addCultivarName(name, concept, cropNames, endings)
  }

  private addCultivarName(
    cultivar: string,
    concept: Concept,
    cropNames: readonly CropName[],
    endings: readonly string[][],
  ): void {
    const words = wordsOf(cultivar).map(singular)
    const key = words.join('')
    const needsCrop = this.isEveryday(words) || namesCrops(words, this.plainCropNames)
    if (needsCrop && !this.words.unambiguousCultivars.has(key)) {
      for (const { name } of cropNames.slice(0, 4)) {
        this.addName(`${cultivar} ${name}`, concept, { shownName: cultivar })
        this.addName(`${name} ${cultivar}`, concept, { shownName: cultivar })
      }
      this.addBareName(words, concept, cultivar)
      return
    }
    this.addName(cultivar, concept, { words })
    for (const ending of endings) {
      const short = withoutEnding(words, ending)
      const isUnambiguous = this.words.unambiguousCultivars.has(short.join(''))
      if (short.length === 0 || (this.isEveryday(short) && !isUnambiguous)) continue
      const shownName = cultivar
        .split(/[\s-]+/)
        .slice(0, short.length)
        .join(' ')
      if (!isUnambiguous && short.every((word) => this.isOrdinary(word, 'en')))
        this.addBareName(short, concept, shownName)
      else this.shortened.push({ name: shownName, words: short, concept })
    }
  }

  /** Adds a bare name of a cultivar, except words with a role ("summer") and crops with their form ("apple blossom", "white rose"). */
  private addBareName(words: readonly string[], concept: Concept, name: string): void {
    const isPhrase = (word: string) => this.words.phrases.has(word)
    const isCrop = (word: string | undefined) => this.plainCropNames.has(word ?? '')
    const last = words.at(-1) ?? ''
    if (words.every(isPhrase) || isCrop(last) || (isPhrase(last) && words.some(isCrop))) return
    const key = words.join('')
    const [first = ''] = words
    this.bareNameStarts.set(first, Math.max(words.length, this.longestBareName(first)))
    const same = this.bareNames.get(key) ?? []
    if (!same.some((sense) => sense.concept === concept))
      this.bareNames.set(key, [...same, { concept, name, isAmbiguous: true, language: 'en' }])
  }

  /**
   * Returns the cultivars of the same crop that a cultivar is one of: its name without everyday words ("Dark Red Norland" is a Red
   * Norland) or names that it begins with ("Bloomsdale Long Standing" is a Bloomsdale).
   */
  private widerThan(cultivar: string, parent: Concept): Concept[] {
    const words = wordsOf(cultivar).map(singular)
    const isDistinctive = words.map((word) => !this.isEveryday([word]))
    const [first, last] = [isDistinctive.indexOf(true), isDistinctive.lastIndexOf(true)]
    const parts = words.flatMap((_word, start) =>
      words.flatMap((_other, end) => {
        const trimmed = start <= first && end >= last
        return trimmed || (start === 0 && !this.isEveryday(words.slice(0, end + 1)))
          ? [words.slice(start, end + 1)]
          : []
      }),
    )
    const keys = parts.map((part) => part.join(''))
    // Compares the crops only, because the ancestors of a cultivar may depend on this method.
    return [...new Set(keys)]
      .filter((key) => key !== words.join(''))
      .flatMap((key) => this.sensesOf(key))
      .map(({ concept }) => concept)
      .filter((concept) => concept instanceof Cultivar)
      .filter(({ parent: crop }) => crop.ancestors.has(parent.term) || parent.ancestors.has(crop.term))
  }

  private addShortened(): void {
    const free = this.shortened.filter(({ words }) => !this.names.has(words.join('')))
    for (const { name, words, concept } of free) this.addName(name, concept, { words })
  }

  /** Returns whether a word with an "s" is the plural of another name: the German plural "Chilie" begins "chilies". */
  private beginsEnglishPlural(word: string): boolean {
    return singulars(`${word}s`).some((form) => form !== word && this.names.has(form))
  }

  /** Adds the plurals and diminutives of the words of a name. */
  private addSpokenForms(name: string, code: string): void {
    const { plurals = [], diminutives = [] } = this.language(code) ?? {}
    for (const word of wordsOf(plain(name.toLowerCase())).map(singular))
      for (const form of [...inflected(word, plurals), ...inflected(word, diminutives)])
        if (
          !this.spellings.has(form) &&
          !this.names.has(form) &&
          !this.isOrdinary(form, 'en') &&
          !this.spokenForms.has(form)
        )
          this.spokenForms.set(form, word)
  }

  /** Adds the plurals of names in other languages, if nothing else has them. */
  private addInflected(names: readonly ForeignName[]): void {
    const added = new Map<string, Sense[]>()
    for (const { name, language, concept } of names) {
      for (const form of inflected(plain(name), this.language(language)?.plurals ?? [])) {
        const key = keyOf(form)
        if (this.names.has(key) || this.isOrdinary(form) || this.beginsEnglishPlural(form)) continue
        const senses = added.get(key) ?? []
        if (!senses.some((sense) => sense.concept === concept))
          added.set(key, [...senses, { concept, name, isAmbiguous: false, language }])
      }
    }
    for (const [key, senses] of added) this.names.set(key, senses)
  }

  /** Returns whether a name consists of words without a meaning of their own: "giant red". */
  private isEveryday(words: readonly string[]): boolean {
    const roles = words.length === 1 ? everydayAlone : everyday
    return words.every((word) => {
      const found = this.words.phrases.get(word)
      return found ? roles.some((role) => found.has(role)) : /^\p{N}{1,2}$/u.test(word)
    })
  }

  /** Adds a concept, or returns the one that has its term. */
  private addConcept(concept: Concept): Concept {
    const before = this.concepts.get(concept.term)
    if (before) return before
    this.concepts.set(concept.term, concept)
    return concept
  }

  /** Adds a sense of a name. `shownName` is the name in reasons. */
  private addName(
    name: string,
    concept: Concept,
    options: Partial<Omit<Sense, 'concept' | 'name'>> & { words?: string[]; shownName?: string } = {},
  ): void {
    const {
      words = wordsOf(name).map(singular),
      isAmbiguous = false,
      language = 'en',
      shownName = name,
    } = options
    const key = words.join('')
    if (key.length < 2 || words.length > longestName) return
    const [first = ''] = words
    this.nameStarts.set(first, Math.max(words.length, this.longestNameFrom(first)))
    const senses = this.names.get(key) ?? []
    if (!senses.some((sense) => sense.concept === concept && sense.language === language))
      this.names.set(key, [...senses, { concept, name: shownName, isAmbiguous, language }])
    for (const word of words) this.spellings.add(word)
  }
}

const folder = join(import.meta.dirname, 'lexicon')
let cached: Lexicon | undefined

/** Returns the lexicon. Reads it on the first call. */
export function lexicon(): Lexicon {
  cached ??= readFrom(readLanguages(folder))
  return cached
}

function readFrom(languages: readonly Language[]): Lexicon {
  return new Lexicon(readLexiconData(folder), readWords(languages), languages)
}

/** Reads the lexicon at the start of a server, so that no request waits for it. */
export function readLexicon(): void {
  lexicon().spellingIndex()
}
