import type { Sense } from './concept.ts'
import type { Form } from './form.ts'
import type { Lexicon } from './lexicon.ts'
import { singular } from './plurals.ts'
import type { Gap, Token } from './tokenize.ts'
import { noTraits, type Trait } from './trait.ts'
import type { Role } from './words.ts'

/** A part of a text: a name, a phrase with a role, or an unknown word. */
export interface Item {
  /** The separator before it. */
  readonly gap: Gap
  /** Its words in the singular. */
  readonly words: readonly string[]
  readonly isPlural: boolean
  /** The senses of the name; empty if it is not a name. */
  readonly senses: readonly Sense[]
  readonly roles: ReadonlySet<Role>
  /** The traits that it gives the name beside it ("red" in "red beet"), or those in a name's own first words ("bush" in "bush bean"). */
  readonly traits: readonly Trait[]
  /** The color, if the name is also a color: "orange" of orange carrots. */
  readonly color: Trait | undefined
  /** Says what is offered of the crop beside it. */
  readonly form: Form | undefined
  readonly isNumber: boolean
  /** True if the dictionary of the text's language has this word without a meaning to the lexicon. */
  readonly isOtherWord: boolean
  /** Those of its first token. */
  readonly isProper: boolean
  readonly isPossessive: boolean
  readonly isJoined: Token['isJoined']
}

const noRoles: ReadonlySet<Role> = new Set()
/** The roles of words before what is offered. */
const precedingRoles: readonly Role[] = ['measures', 'containers', 'links', 'offering']
/** Words with these roles only are no name that is written apart. */
const separateRoles: readonly Role[] = ['function_words', 'qualifiers']
/** Longer texts are cut, to limit the time for a text. */
const maxTokens = 400
/** Corrections of unknown words are searched for this many words of a text, because a search takes half a millisecond. */
const maxCorrected = 40

/**
 * Groups the tokens of a text into items. At each token it prefers the longest name, then a phrase of the languages' `words/`, then a
 * misspelt name.
 * @param language the code of the text's language
 * @param isCategorized true if the text is about something that grows, so that everyday words may be cultivars
 */
export function recognize(
  allTokens: readonly Token[],
  lexicon: Lexicon,
  language: string,
  isCategorized = false,
): Item[] {
  const tokens = allTokens.slice(0, maxTokens)
  const recognizer = new Recognizer(tokens, lexicon, language, isCategorized)
  const items: Item[] = []
  for (let start = 0; start < tokens.length; ) {
    const { item, length } = recognizer.recognizeAt(start, items.at(-1))
    items.push(item)
    start += length
  }
  return items
}

/** Returns the senses of emoji. */
export function recognizeEmoji(allEmoji: readonly string[], lexicon: Lexicon): Sense[] {
  const senses: Sense[] = []
  for (const emoji of new Set(allEmoji)) {
    const key = lexicon.words.emoji.get(emoji)
    if (key === undefined) continue
    const concept = lexicon.concept(key) ?? lexicon.concept(`group:${key}`) ?? lexicon.concept(`thing:${key}`)
    if (concept) senses.push({ concept, name: concept.name, isAmbiguous: true, language: 'en' })
  }
  return senses
}

/** An item with the number of its tokens. */
interface ItemSpan {
  readonly item: Item
  readonly length: number
}

class Recognizer {
  private readonly tokens: readonly Token[]
  private readonly lexicon: Lexicon
  private readonly language: string
  private readonly isCategorized: boolean
  /** Each token in the lexicon's form, or in its singular by rule. */
  private readonly words: readonly string[]
  /** Each token in its singular by rule, as phrases have it. */
  private readonly singulars: readonly string[]
  private readonly guessCache: (readonly { word: string; editDistance: number }[] | undefined)[] = []
  private correctedCount = 0

  constructor(tokens: readonly Token[], lexicon: Lexicon, language: string, isCategorized: boolean) {
    this.tokens = tokens
    this.isCategorized = isCategorized
    this.lexicon = lexicon
    this.language = language
    this.singulars = tokens.map(({ word }) => singular(word))
    this.words = tokens.map(({ word }, at) => lexicon.canonicalForm(word) ?? this.singulars[at] ?? word)
  }

  /** Returns the item that starts at this token. */
  recognizeAt(start: number, previous: Item | undefined): ItemSpan {
    const name = this.findName(start)
    const bareName = this.findBareName(start, name?.length ?? 0, previous)
    if (bareName) return bareName
    const phrase = this.findPhrase(start)
    const longer = name && this.findMisspeltName(start, name.length + 1)
    if (longer) return longer
    if (name && (!phrase || name.length >= phrase.length)) {
      const roles = phrase && phrase.length === name.length ? phrase.item.roles : noRoles
      return { length: name.length, item: { ...name.item, roles } }
    }
    if (phrase) {
      const correction = phrase.length === 1 ? this.findMisspeltName(start) : undefined
      return correction && correction.length > 1 ? correction : phrase
    }
    return this.findMisspeltName(start) ?? { length: 1, item: this.createItem(start, 1, []) }
  }

  private findName(start: number): ItemSpan | undefined {
    for (
      let length = this.runLength(start, this.lexicon.longestNameFrom(this.words[start]));
      length > 0;
      length -= 1
    ) {
      const senses = this.sensesAt(start, length)
      if (senses.length > 0) return { length, item: this.createItem(start, length, senses) }
    }
    return undefined
  }

  /** Returns a name of a cultivar in everyday words ("Provider seed", "Lemon Drop") that is longer than `nameLength`, if the words around it allow it. */
  private findBareName(start: number, nameLength: number, previous: Item | undefined): ItemSpan | undefined {
    const max = this.lexicon.longestBareName(this.words[start])
    if (max <= nameLength) return undefined
    for (let length = this.runLength(start, max); length > nameLength; length -= 1) {
      const words = this.words.slice(start, start + length)
      const senses = this.lexicon.bareSensesOf(words.join(''))
      if (senses.length === 0 || (length === 1 && !this.mayBeBareName(start))) continue
      const cultivars = cultivarsOf(senses, previous?.senses ?? [])
      if (cultivars.length > 0) return { length, item: this.createItem(start, length, cultivars) }
      const isStart = start === 0 || this.tokens[start]?.gap !== 'none' || this.mayPrecedeName(previous)
      if (isStart && this.isNameEnd(start + length))
        return { length, item: this.createItem(start, length, senses) }
    }
    return undefined
  }

  /** Returns whether a word is spelt as a cultivar and is no word of another language that the text is in. */
  private mayBeBareName(index: number): boolean {
    return this.language === 'en' || !this.isInDictionary(this.tokens[index]?.word ?? '')
  }

  /** Returns whether a cultivar's name may follow: "3 lb", "a bag of". */
  private mayPrecedeName(item: Item | undefined): boolean {
    if (!item || item.senses.length > 0) return false
    return (
      item.isNumber ||
      (this.isCategorized ? item.roles.size > 0 : precedingRoles.some((role) => item.roles.has(role)))
    )
  }

  /** Returns whether a cultivar's name may end before this word: "seeds" and a comma end it, "balcony" does not. */
  private isNameEnd(end: number): boolean {
    const next = this.tokens[end]
    if (next?.gap !== 'none') return true
    const roles = this.findPhrase(end)?.item.roles
    return this.isCategorized
      ? roles !== undefined || /^\p{N}/u.test(next.word)
      : roles?.has('forms') === true
  }

  /** Returns the senses of a name, except of a word of the text's language that is none there, and of function words: "is in" is no isin. */
  private sensesAt(start: number, length: number): readonly Sense[] {
    const words = this.words.slice(start, start + length)
    if (length === 1) {
      const senses = this.sensesOf(words)
      const isName = senses.some(({ language }) => language === this.language || language === 'la')
      return isName || this.language === 'en' || !this.isInDictionary(this.tokens[start]?.word ?? '')
        ? senses
        : []
    }
    return this.isSeparate(words) ? [] : this.sensesOf(words)
  }

  private isSeparate(words: readonly string[]): boolean {
    const { phrases } = this.lexicon.words
    return words.every((word) => separateRoles.some((role) => phrases.get(word)?.has(role)))
  }

  private sensesOf(words: readonly string[]): readonly Sense[] {
    return this.lexicon.sensesIn(words.join(''), this.language)
  }

  private findPhrase(start: number): ItemSpan | undefined {
    const { phrases, longestPhrases, traits } = this.lexicon.words
    const longest = longestPhrases.get(this.singulars[start] ?? '') ?? 0
    for (let length = this.runLength(start, longest); length > 0 && longest > 0; length -= 1) {
      const key =
        length === 1 ? (this.singulars[start] ?? '') : this.singulars.slice(start, start + length).join(' ')
      const roles = phrases.get(key)
      if (!roles) continue
      const trait = traits.get(key)
      const item = this.createItem(start, length, [])
      return { length, item: { ...item, roles, ...(trait !== undefined && { traits: [trait] }) } }
    }
    return undefined
  }

  /** Returns the longest name of at most two words of which one is misspelt. */
  private findMisspeltName(start: number, minLength = 1): ItemSpan | undefined {
    for (let length = this.runLength(start, 2); length >= minLength; length -= 1) {
      const words = this.words.slice(start, start + length)
      for (const position of words.keys()) {
        const senses = this.findCorrections(words, position, start)
        if (senses.length === 0) continue
        return { length, item: this.createItem(start, length, senses) }
      }
    }
    return undefined
  }

  /** Returns the senses of the name with the nearest correction of one word, or none if two crops are equally near. */
  private findCorrections(words: readonly string[], position: number, start: number): readonly Sense[] {
    let best: readonly Sense[] = []
    let editDistance = Number.POSITIVE_INFINITY
    for (const guess of this.guessesAt(start + position)) {
      if (guess.editDistance > editDistance) break
      const senses = this.sensesOf(words.with(position, guess.word))
      if (senses.length === 0) continue
      if (best.length > 0 && isCommonName(best)) continue
      best = senses
      editDistance = guess.editDistance
    }
    return best
  }

  private guessesAt(index: number) {
    this.guessCache[index] ??= this.findGuesses(this.tokens[index]?.word ?? '')
    return this.guessCache[index]
  }

  private findGuesses(word: string) {
    if (this.correctedCount >= maxCorrected || this.lexicon.isWord(word, this.language)) return []
    this.correctedCount += 1
    return this.lexicon.suggestionsFor(word)
  }

  /** Returns the number of tokens from here on that only spaces separate, at most `max`. */
  private runLength(start: number, max: number): number {
    let length = 1
    while (length < max && this.tokens[start + length]?.gap === 'none') length += 1
    return Math.min(length, this.tokens.length - start)
  }

  /**
   * Returns the form that a phrase names, or that the last word of a longer name does, if it is no part of the crop's usual name:
   * "squash blossom", but not "curry leaf".
   */
  private formOf(start: number, length: number, senses: readonly Sense[]): Form | undefined {
    const { forms } = this.lexicon.words
    if (length === 1)
      return forms.get(this.tokens[start]?.word ?? '') ?? forms.get(this.singulars[start] ?? '')
    const tokens = this.tokens.slice(start, start + length).map(({ word }) => word)
    const words = this.singulars.slice(start, start + length)
    const whole = forms.get(tokens.join(' ')) ?? forms.get(words.join(' '))
    if (whole || senses.length === 0) return whole
    const last = words.at(-1) ?? ''
    // A seedless lime is no seed.
    if (this.lexicon.words.phrases.get(words.at(-2) ?? '')?.has('negations')) return undefined
    const isUsual = senses.some(({ concept }) => concept.kind === 'group' || concept.name.endsWith(last))
    return isUsual ? undefined : (forms.get(tokens.at(-1) ?? '') ?? forms.get(last))
  }

  private isInDictionary(word: string): boolean {
    return this.lexicon.language(this.language)?.dictionary?.has(word) === true
  }

  /** Returns the trait in a name's first or last words: "red" of "red beet", "bush" of "bush bean", "blanca" of "papa blanca". */
  private findOwnTraits(words: readonly string[]): readonly Trait[] {
    const { traits, traitStarts } = this.lexicon.words
    const isName = (rest: readonly string[]) => this.lexicon.sensesOf(rest.join('')).length > 0
    for (let length = 1; length < words.length; length += 1) {
      const [first, last] = [words.slice(0, length), words.slice(length)]
      const trait = traits.get(first.join(' '))
      if (trait !== undefined && isName(last)) return [trait]
      const after = traitStarts.has(last[0] ?? '') ? traits.get(last.join(' ')) : undefined
      if (after !== undefined && isName(first)) return [after]
    }
    return noTraits
  }

  private createItem(start: number, length: number, senses: readonly Sense[]): Item {
    const last = this.tokens[start + length - 1]?.word ?? ''
    const words = this.words.slice(start, start + length)
    return {
      gap: this.tokens[start]?.gap ?? 'none',
      words,
      isPlural:
        last !== words.at(-1) &&
        last.endsWith('s') &&
        !senses.some(({ concept }) => concept.name.toLowerCase().endsWith(last)),
      senses,
      roles: noRoles,
      traits: length > 1 && senses.length > 0 ? this.findOwnTraits(words) : noTraits,
      color: length === 1 && senses.length > 0 ? this.lexicon.words.traits.get(words[0] ?? '') : undefined,
      form: this.formOf(start, length, senses),
      isNumber: length === 1 && /^\p{N}/u.test(last),
      isOtherWord: length === 1 && senses.length === 0 && this.isInDictionary(last),
      isProper: this.tokens[start]?.isProper ?? false,
      isPossessive: this.tokens[start]?.isPossessive ?? false,
      isJoined: this.tokens[start]?.isJoined ?? false,
    }
  }
}

/** Returns the senses that are cultivars of these crops, as unambiguous ones. */
function cultivarsOf(senses: readonly Sense[], crops: readonly Sense[]): Sense[] {
  return senses
    .filter(({ concept }) => crops.some((crop) => concept.ancestors.has(crop.concept.term)))
    .map((sense) => ({ ...sense, isAmbiguous: false }))
}

/** Returns whether a sense has the common name of its crop, not a Latin, foreign or other one. */
function isCommonName(senses: readonly Sense[]): boolean {
  return senses.some(({ concept, name }) => name === concept.name)
}
