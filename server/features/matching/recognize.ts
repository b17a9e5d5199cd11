import { emojiOf, type Gap, type Token, tokensOf } from './fold.ts'
import type { Lexicon, Sense } from './lexicon.ts'
import { singular } from './plurals.ts'
import { noTraits, type Trait } from './trait.ts'
import type { Role } from './words.ts'

/** A name, a phrase with a role, or a word nobody knows: a title is a row of them. */
export interface Item {
  /** The separator before it. */
  readonly gap: Gap
  /** Its words in the singular. */
  readonly words: readonly string[]
  readonly plural: boolean
  /** The senses of the name; empty if it is not a name. */
  readonly senses: readonly Sense[]
  readonly roles: ReadonlySet<Role>
  /** Traits that it gives to the name beside it, or that its own first words give to the rest. */
  readonly traits: readonly Trait[]
  /** The color that a name also is: "orange" of orange carrots. */
  readonly colour: Trait | undefined
  /** It says which of what stands before its comma: "red" of "onions, red". */
  readonly turned: boolean
  readonly number: boolean
  readonly tied: boolean
  readonly quoted: boolean
  readonly asked: boolean
}

const noRoles: ReadonlySet<Role> = new Set()
/** Longer texts than a listing's are cut here, so that no text takes long. */
const maxTokens = 400
/** "Music variety". */
const kindWords: ReadonlySet<string> = new Set(['variety', 'type', 'cultivar', 'kind', 'var', 'cv', 'strain'])
/** An everyday word that more cultivars are called says nothing by itself. */
const maxWordsOfName = 4

/** Reads a text into items: the longest name first, then phrases of `lexicon/words/`, then misspelt names. */
export function recognize(text: string, lexicon: Lexicon): Item[] {
  const tokens = tokensOf(text).slice(0, maxTokens)
  const reader = new Reader(tokens, lexicon)
  const items: Item[] = []
  for (let at = 0; at < tokens.length; ) {
    const { item, length } = reader.next(at, items.at(-1))
    items.push(item)
    at += length
  }
  return items
}

/** The senses of the pictures in a text. */
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

class Reader {
  private readonly tokens: readonly Token[]
  private readonly lexicon: Lexicon
  /** Each token as the lexicon's vocabulary has it, or by rule in the singular. */
  private readonly words: readonly string[]
  private readonly guessed: (readonly { word: string; editDistance: number }[] | undefined)[] = []

  constructor(tokens: readonly Token[], lexicon: Lexicon) {
    this.tokens = tokens
    this.lexicon = lexicon
    this.words = tokens.map(({ word }) => lexicon.known(word) ?? singular(word))
  }

  next(at: number, before: Item | undefined): Found {
    const name = this.name(at)
    const turned = this.turned(at, name?.length ?? 0, before)
    if (turned) return turned
    const bare = this.bare(at, name?.length ?? 0, before)
    if (bare) return bare
    const phrase = this.phrase(at)
    const longer = name && this.misspelt(at, name.length + 1)
    if (longer && longer.length > (phrase?.length ?? 0)) return longer
    if (name && (!phrase || name.length >= phrase.length)) {
      const roles = phrase && phrase.length === name.length ? phrase.item.roles : noRoles
      return { length: name.length, item: { ...name.item, roles } }
    }
    if (phrase) {
      const slip = phrase.length === 1 ? this.misspelt(at) : undefined
      return slip && slip.length > 1 ? slip : phrase
    }
    return this.misspelt(at) ?? { length: 1, item: this.item(at, 1, []) }
  }

  private name(at: number): Found | undefined {
    for (let length = this.reach(at, this.lexicon.longestName); length > 0; length -= 1) {
      const senses = this.senses(this.words.slice(at, at + length))
      if (senses.length > 0) return { length, item: this.item(at, length, senses) }
    }
    return undefined
  }

  /** A longer name of a cultivar in everyday words ("Provider seed", "Lemon Drop"), where the words around it let it be one. */
  private bare(at: number, beyond: number, before: Item | undefined): Found | undefined {
    const most = this.lexicon.longestBareName(this.words[at])
    if (most <= beyond) return undefined
    for (let length = this.reach(at, most); length > beyond; length -= 1) {
      const senses = this.lexicon.bareSensesOf(this.words.slice(at, at + length).join(''))
      if (senses.length === 0 || (length === 1 && (this.phrase(at) || !this.isWrittenOut(at)))) continue
      const own = [...this.ofCropAfter(at + length, senses), ...this.ofCropBefore(at, senses, before)]
      if (own.length > 0) return { length, item: this.item(at, length, own) }
      if (senses.length <= maxWordsOfName && this.opens(at) && this.closes(at + length))
        return { length, item: this.item(at, length, senses) }
    }
    return undefined
  }

  /** "Kale, dino type" and "beans, green": a longer name of the crop before the comma, turned about. */
  private turned(at: number, known: number, before: Item | undefined): Found | undefined {
    const gap = this.tokens[at]?.gap
    if ((gap !== 'comma' && gap !== 'dash') || !before || before.senses.length === 0) return undefined
    for (let length = this.reach(at, 2); length > 0; length -= 1) {
      const isSaid = kindWords.has(this.words[at + length] ?? '') && this.tokens[at + length]?.gap === 'none'
      const isListed = known > 0 && !(gap === 'dash' || before.plural)
      if (!isSaid && (isListed || !this.ends(at + length) || !this.isSingular(at, length))) continue
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
      return { length, item: { ...this.item(at, length, senses), traits, turned: true } }
    }
    return undefined
  }

  /** Whether a word is read as it stands, but for an "s": "chieves" are no chiefs. */
  private isWrittenOut(at: number): boolean {
    const [word, token] = [this.words[at] ?? '', this.tokens[at]?.word]
    return token === word || token === `${word}s`
  }

  /** "Juliet" of "Juliet grape tomatoes" is the tomato. */
  private ofCropAfter(at: number, senses: readonly Sense[]): Sense[] {
    return this.tokens[at]?.gap === 'none' ? ofCrops(senses, this.name(at)?.item.senses ?? []) : []
  }

  /** "Tomatoes, cherry" are of a kind, "tomatoes, cherries" two. */
  private isSingular(at: number, length: number): boolean {
    return this.tokens[at + length - 1]?.word === this.words[at + length - 1]
  }

  /** Whether nothing that is said of the words before goes on here. */
  private ends(at: number): boolean {
    const next = this.tokens[at]
    return next?.gap !== 'none' || this.rolesOf(next.word).has('joins')
  }

  /** "Music" of "Garlic 'Music'" is the garlic. */
  private ofCropBefore(at: number, senses: readonly Sense[], before: Item | undefined): Sense[] {
    const gap = this.tokens[at]?.gap
    return gap === 'none' || gap === 'dash' ? ofCrops(senses, before?.senses ?? []) : []
  }

  /** Whether nothing but words that weigh nothing stand before in the sentence. */
  private opens(at: number): boolean {
    const before = this.tokens.slice(0, at)
    const start = this.tokens.findLastIndex(({ gap }, index) => index <= at && gap === 'stop')
    return before.every(({ word }, index) => index < start || weighsNothing(this.rolesOf(word), word))
  }

  /** Whether a cultivar's name may end before this word: "seeds" and a comma end it, "balcony" does not. */
  private closes(at: number): boolean {
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
    for (let length = this.reach(at, longestPhrase); length > 0; length -= 1) {
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

  /** A name in which one word is misspelt: the longest, then the one with the smallest edit distance, unless two crops are equally near. */
  private misspelt(at: number, least = 1): Found | undefined {
    for (let length = this.reach(at, 4); length >= least; length -= 1) {
      const words = this.words.slice(at, at + length)
      for (const [place, word] of words.entries()) {
        if (this.lexicon.sensesOf(word).length > 0) continue
        const senses = this.meant(words, place, at)
        if (senses.length === 0) continue
        return { length, item: this.item(at, length, senses) }
      }
    }
    return undefined
  }

  private meant(words: readonly string[], place: number, at: number): readonly Sense[] {
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
        if (mine === other && !sameCrop(best, senses)) return []
        if (mine) continue
      }
      best = senses
      editDistance = guess.editDistance
    }
    return best
  }

  private guesses(at: number) {
    this.guessed[at] ??= this.lexicon.meant(this.tokens[at]?.word ?? '')
    return this.guessed[at]
  }

  /** A name in other words than the lexicon writes it ("egg plant") is one only if no part of it is a mere syllable. */
  private senses(words: readonly string[]): readonly Sense[] {
    const key = words.join('')
    const senses = this.lexicon.sensesOf(key)
    if (senses.length === 0 || words.length <= this.lexicon.writtenIn(key)) return senses
    return words.every((word) => word.length >= 3) ? senses : []
  }

  /** How many tokens from here on nothing but space parts, at most so many. */
  private reach(at: number, most: number): number {
    let length = 1
    while (length < most && this.tokens[at + length]?.gap === 'none') length += 1
    return Math.min(length, this.tokens.length - at)
  }

  /** "Red" of "red beet" and "bush" of "bush bean". */
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
      colour: length === 1 && senses.length > 0 ? this.lexicon.words.traits.get(words[0] ?? '') : undefined,
      turned: false,
      number: length === 1 && /^\p{N}/u.test(last),
      tied: this.tokens[at]?.tied ?? false,
      quoted: this.tokens[at]?.quoted ?? false,
      asked: this.tokens[at]?.asked ?? false,
    }
  }
}

/** The meanings that are cultivars of these crops; beside them they are no everyday words. */
function ofCrops(senses: readonly Sense[], crops: readonly Sense[]): Sense[] {
  return senses
    .filter(({ concept }) => crops.some((crop) => concept.ancestors.has(crop.concept.term)))
    .map((sense) => ({ ...sense, ambiguous: false }))
}

function weighsNothing(roles: ReadonlySet<Role>, word: string): boolean {
  return roles.has('qualifiers') || roles.has('measures') || roles.has('fillers') || /^\p{N}/u.test(word)
}

/** A misspelt short word stands for everyday names only: there are so many others that one is always near. */
function isMisspellingOf({ concept, ambiguous, foreign }: Sense, word = ''): boolean {
  return !ambiguous && (word.length >= 6 || (!foreign && concept.kind !== 'cultivar'))
}

/** A name in everyday use, as against the Latin, foreign or cultivar names that a slip hits by chance. */
function isPlain(senses: readonly Sense[]): boolean {
  return senses.some(({ concept, name }) => concept.kind !== 'cultivar' && name === concept.name)
}

function sameCrop(a: readonly Sense[], b: readonly Sense[]): boolean {
  return a.some(({ concept }) => b.some((other) => other.concept === concept))
}
