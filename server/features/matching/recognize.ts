import type { Sense } from './concept.ts'
import { emojiOf, type Gap, type Token, tokensOf } from './fold.ts'
import type { Lexicon } from './lexicon.ts'
import { singular } from './plurals.ts'
import { noTraits, type Trait } from './trait.ts'
import type { Role } from './words.ts'

/** A part of a text: a name, a phrase with a role, or an unknown word. */
export interface Item {
  /** The separator before it. */
  readonly gap: Gap
  /** Its words in the singular. */
  readonly words: readonly string[]
  readonly plural: boolean
  /** The senses of the name; empty if it is not a name. */
  readonly senses: readonly Sense[]
  readonly roles: ReadonlySet<Role>
  /** Traits of the name beside it, or of the name itself by its first words. */
  readonly traits: readonly Trait[]
  /** The color, if the name is also a color: "orange" of orange carrots. */
  readonly color: Trait | undefined
  /** True if it specifies the name before its comma: "red" of "onions, red". */
  readonly isPostModifier: boolean
  readonly number: boolean
  readonly isJoined: boolean
  readonly isQuoted: boolean
  readonly inQuestion: boolean
}

const noRoles: ReadonlySet<Role> = new Set()
/** Longer texts are cut, to limit the time for a text. */
const maxTokens = 400
/** Words after the name of a cultivar: "Music variety". */
const kindWords: ReadonlySet<string> = new Set(['variety', 'type', 'cultivar', 'kind', 'var', 'cv', 'strain'])
/** An everyday word that names more cultivars than this is no name by itself. */
const maxWordsOfName = 4

/** Reads a text into items: the longest name first, then phrases of `lexicon/words/`, then misspelt names. */
export function recognize(text: string, lexicon: Lexicon): Item[] {
  const tokens = tokensOf(text).slice(0, maxTokens)
  const reader = new Recognizer(tokens, lexicon)
  const items: Item[] = []
  for (let at = 0; at < tokens.length; ) {
    const { item, length } = reader.next(at, items.at(-1))
    items.push(item)
    at += length
  }
  return items
}

/** Returns the senses of the emoji in a text. */
export function recognizeEmoji(text: string, lexicon: Lexicon): Sense[] {
  const senses: Sense[] = []
  for (const picture of new Set(emojiOf(text))) {
    const key = lexicon.words.emoji.get(picture)
    if (key === undefined) continue
    const concept = lexicon.concept(key) ?? lexicon.concept(`group:${key}`) ?? lexicon.concept(`thing:${key}`)
    if (concept) senses.push({ concept, name: concept.name, ambiguous: true, foreign: false })
  }
  return senses
}

interface Found {
  readonly item: Item
  readonly length: number
}

class Recognizer {
  private readonly tokens: readonly Token[]
  private readonly lexicon: Lexicon
  /** Each token in the lexicon's form, or in its singular by rule. */
  private readonly words: readonly string[]
  private readonly guessCache: (readonly { word: string; editDistance: number }[] | undefined)[] = []

  constructor(tokens: readonly Token[], lexicon: Lexicon) {
    this.tokens = tokens
    this.lexicon = lexicon
    this.words = tokens.map(({ word }) => lexicon.canonical(word) ?? singular(word))
  }

  next(at: number, before: Item | undefined): Found {
    const name = this.name(at)
    const postModifier = this.postModifier(at, name?.length ?? 0, before)
    if (postModifier) return postModifier
    const bareName = this.bareName(at, name?.length ?? 0, before)
    if (bareName) return bareName
    const phrase = this.phrase(at)
    const longer = name && this.misspelt(at, name.length + 1)
    if (longer && longer.length > (phrase?.length ?? 0)) return longer
    if (name && (!phrase || name.length >= phrase.length)) {
      const roles = phrase && phrase.length === name.length ? phrase.item.roles : noRoles
      return { length: name.length, item: { ...name.item, roles } }
    }
    if (phrase) {
      const correction = phrase.length === 1 ? this.misspelt(at) : undefined
      return correction && correction.length > 1 ? correction : phrase
    }
    return this.misspelt(at) ?? { length: 1, item: this.item(at, 1, []) }
  }

  private name(at: number): Found | undefined {
    for (let length = this.runLength(at, this.lexicon.longestName); length > 0; length -= 1) {
      const senses = this.senses(this.words.slice(at, at + length))
      if (senses.length > 0) return { length, item: this.item(at, length, senses) }
    }
    return undefined
  }

  /** Returns a name of a cultivar in everyday words ("Provider seed", "Lemon Drop") that is longer than `nameLength`, if the words around it allow it. */
  private bareName(at: number, nameLength: number, before: Item | undefined): Found | undefined {
    const max = this.lexicon.longestBareName(this.words[at])
    if (max <= nameLength) return undefined
    for (let length = this.runLength(at, max); length > nameLength; length -= 1) {
      const senses = this.lexicon.bareSensesOf(this.words.slice(at, at + length).join(''))
      if (senses.length === 0 || (length === 1 && (this.phrase(at) || !this.isWrittenOut(at)))) continue
      const own = [...this.ofCropAfter(at + length, senses), ...this.ofCropBefore(at, senses, before)]
      if (own.length > 0) return { length, item: this.item(at, length, own) }
      if (senses.length <= maxWordsOfName && this.isSentenceStart(at) && this.isNameEnd(at + length))
        return { length, item: this.item(at, length, senses) }
    }
    return undefined
  }

  /** Returns the kind of the crop before the comma: "kale, dino type", "beans, green". `nameLength` is that of a name at this token, or 0. */
  private postModifier(at: number, nameLength: number, before: Item | undefined): Found | undefined {
    const gap = this.tokens[at]?.gap
    if ((gap !== 'comma' && gap !== 'dash') || !before || before.senses.length === 0) return undefined
    for (let length = this.runLength(at, 2); length > 0; length -= 1) {
      const isKindNamed =
        kindWords.has(this.words[at + length] ?? '') && this.tokens[at + length]?.gap === 'none'
      const isListed = nameLength > 0 && !(gap === 'dash' || before.plural)
      if (!isKindNamed && (isListed || !this.isPhraseEnd(at + length) || !this.isSingular(at, length)))
        continue
      const senses = this.lexicon
        .sensesOf([...this.words.slice(at, at + length), ...before.words].join(''))
        .filter(({ concept }) =>
          before.senses.some(
            (sense) => sense.concept !== concept && concept.ancestors.has(sense.concept.term),
          ),
        )
      if (senses.length === 0) continue
      const trait = this.lexicon.words.traits.get(this.words.slice(at, at + length).join(' '))
      const traits = trait === undefined ? noTraits : [trait]
      return { length, item: { ...this.item(at, length, senses), traits, isPostModifier: true } }
    }
    return undefined
  }

  /** Returns whether a word has the lexicon's spelling, except for a plural "s": "chieves" are no chiefs. */
  private isWrittenOut(at: number): boolean {
    const [word, token] = [this.words[at] ?? '', this.tokens[at]?.word]
    return token === word || token === `${word}s`
  }

  /** Returns the senses that are cultivars of the crop after them: "Juliet" of "Juliet grape tomatoes". */
  private ofCropAfter(at: number, senses: readonly Sense[]): Sense[] {
    return this.tokens[at]?.gap === 'none' ? ofCrops(senses, this.name(at)?.item.senses ?? []) : []
  }

  /** Returns whether the words are singular: "tomatoes, cherry" are one crop, "tomatoes, cherries" two. */
  private isSingular(at: number, length: number): boolean {
    return this.tokens[at + length - 1]?.word === this.words[at + length - 1]
  }

  /** Returns whether the phrase before this token ends there. */
  private isPhraseEnd(at: number): boolean {
    const next = this.tokens[at]
    return next?.gap !== 'none' || this.rolesOf(next.word).has('conjunctions')
  }

  /** Returns the senses that are cultivars of the crop before them: "Music" of "Garlic 'Music'". */
  private ofCropBefore(at: number, senses: readonly Sense[], before: Item | undefined): Sense[] {
    const gap = this.tokens[at]?.gap
    return gap === 'none' || gap === 'dash' ? ofCrops(senses, before?.senses ?? []) : []
  }

  /** Returns whether only insignificant words precede this token in the sentence. */
  private isSentenceStart(at: number): boolean {
    const before = this.tokens.slice(0, at)
    const start = this.tokens.findLastIndex(({ gap }, index) => index <= at && gap === 'stop')
    return before.every(({ word }, index) => index < start || isInsignificant(this.rolesOf(word), word))
  }

  /** Returns whether a cultivar's name may end before this word: "seeds" and a comma end it, "balcony" does not. */
  private isNameEnd(at: number): boolean {
    const next = this.tokens[at]
    if (next?.gap !== 'none') return true
    const roles = this.phrase(at)?.item.roles
    return roles !== undefined && (roles.has('forms') || roles.has('qualifiers') || roles.has('measures'))
  }

  private rolesOf(word: string): ReadonlySet<Role> {
    return this.lexicon.words.phrases.get(singular(word)) ?? noRoles
  }

  private phrase(at: number): Found | undefined {
    const { phrases, longestPhrase } = this.lexicon.words
    for (let length = this.runLength(at, longestPhrase); length > 0; length -= 1) {
      const key = this.tokens
        .slice(at, at + length)
        .map(({ word }) => singular(word))
        .join(' ')
      const roles = phrases.get(key)
      if (roles) {
        const trait = this.lexicon.words.traits.get(key)
        return {
          length,
          item: { ...this.item(at, length, []), roles, ...(trait !== undefined && { traits: [trait] }) },
        }
      }
    }
    return undefined
  }

  /** Returns the longest name with one misspelt word and the smallest edit distance, or none if two crops are equally near. */
  private misspelt(at: number, least = 1): Found | undefined {
    for (let length = this.runLength(at, 4); length >= least; length -= 1) {
      const words = this.words.slice(at, at + length)
      for (const [place, word] of words.entries()) {
        if (this.lexicon.sensesOf(word).length > 0) continue
        const senses = this.corrections(words, place, at)
        if (senses.length === 0) continue
        return { length, item: this.item(at, length, senses) }
      }
    }
    return undefined
  }

  private corrections(words: readonly string[], place: number, at: number): readonly Sense[] {
    let best: readonly Sense[] = []
    let editDistance = Number.POSITIVE_INFINITY
    for (const guess of this.guesses(at + place)) {
      if (guess.editDistance > editDistance) break
      const senses = this.senses(words.with(place, guess.word)).filter((sense) =>
        isMisspellingOf(sense, words[place]),
      )
      if (senses.length === 0) continue
      if (best.length > 0) {
        const [mine, other] = [isPlain(best), isPlain(senses)]
        if (mine === other && !isSameCrop(best, senses)) return []
        if (mine) continue
      }
      best = senses
      editDistance = guess.editDistance
    }
    return best
  }

  private guesses(at: number) {
    this.guessCache[at] ??= this.lexicon.suggestions(this.tokens[at]?.word ?? '')
    return this.guessCache[at]
  }

  /** Returns the senses of a name. A name with other spaces than in the lexicon ("egg plant") needs at least three letters in each part. */
  private senses(words: readonly string[]): readonly Sense[] {
    const key = words.join('')
    const senses = this.lexicon.sensesOf(key)
    if (senses.length === 0 || words.length <= this.lexicon.wordCountOf(key)) return senses
    return words.every((word) => word.length >= 3) ? senses : []
  }

  /** Returns the number of tokens from here on that only spaces separate, at most `max`. */
  private runLength(at: number, max: number): number {
    let length = 1
    while (length < max && this.tokens[at + length]?.gap === 'none') length += 1
    return Math.min(length, this.tokens.length - at)
  }

  /** Returns the trait in a name's first words: "red" of "red beet", "bush" of "bush bean". */
  private ownTraits(words: readonly string[]): readonly Trait[] {
    const { traits, traitStarts } = this.lexicon.words
    if (!traitStarts.has(words[0] ?? '')) return noTraits
    for (let length = words.length - 1; length > 0; length -= 1) {
      const trait = traits.get(words.slice(0, length).join(' '))
      if (trait !== undefined && this.senses(words.slice(length)).length > 0) return [trait]
    }
    return noTraits
  }

  private item(at: number, length: number, senses: readonly Sense[]): Item {
    const last = this.tokens[at + length - 1]?.word ?? ''
    const words = this.words.slice(at, at + length)
    return {
      gap: this.tokens[at]?.gap ?? 'none',
      words,
      plural: last.length > 3 && last !== words.at(-1) && /s$|i$|ae$/.test(last),
      senses,
      roles: noRoles,
      traits: length > 1 && senses.length > 0 ? this.ownTraits(words) : noTraits,
      color: length === 1 && senses.length > 0 ? this.lexicon.words.traits.get(words[0] ?? '') : undefined,
      isPostModifier: false,
      number: length === 1 && /^\p{N}/u.test(last),
      isJoined: this.tokens[at]?.isJoined ?? false,
      isQuoted: this.tokens[at]?.isQuoted ?? false,
      inQuestion: this.tokens[at]?.inQuestion ?? false,
    }
  }
}

/** Returns the senses that are cultivars of these crops, as unambiguous ones. */
function ofCrops(senses: readonly Sense[], crops: readonly Sense[]): Sense[] {
  return senses
    .filter(({ concept }) => crops.some((crop) => concept.ancestors.has(crop.concept.term)))
    .map((sense) => ({ ...sense, ambiguous: false }))
}

function isInsignificant(roles: ReadonlySet<Role>, word: string): boolean {
  return (
    roles.has('qualifiers') || roles.has('measures') || roles.has('function_words') || /^\p{N}/u.test(word)
  )
}

/** Returns whether a misspelt word may stand for a sense. A short one may only for common names, because some other name is always near. */
function isMisspellingOf({ concept, ambiguous, foreign }: Sense, word = ''): boolean {
  return !ambiguous && (word.length >= 6 || (!foreign && concept.kind !== 'cultivar'))
}

/** Returns whether a sense is the common name of a crop, not a Latin, foreign or cultivar name. */
function isPlain(senses: readonly Sense[]): boolean {
  return senses.some(({ concept, name }) => concept.kind !== 'cultivar' && name === concept.name)
}

function isSameCrop(a: readonly Sense[], b: readonly Sense[]): boolean {
  return a.some(({ concept }) => b.some((other) => other.concept === concept))
}
