import { LRUCache } from 'lru-cache'

/** A word of the index with its edit distance from the given one. Less likely typos add a fraction. */
export interface Guess {
  readonly word: string
  readonly editDistance: number
}

const maxGuesses = 16
const maxCached = 20_000

/**
 * Finds the intended words of a misspelt one. Doubled and similar-sounding letters count as equal. Beyond that it allows one typo in a
 * short word and two in a long one. Compares only words with the same beginning or end.
 */
export class SpellingIndex {
  private readonly bySound = new Map<string, string[]>()
  private readonly byEdge = new Map<string, string[]>()
  private readonly cache = new LRUCache<string, readonly Guess[]>({
    max: maxCached,
    memoMethod: (word) => this.search(word),
  })

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (!isSpelt(word)) continue
      const sound = soundOf(word)
      const same = this.bySound.get(sound)
      if (same) same.push(word)
      else {
        this.bySound.set(sound, [word])
        for (const edge of edges(sound, edgeOf(sound))) this.addToIndex(edge, sound)
      }
    }
  }

  /** Returns the words nearest first, or none for a short or non-Latin word. */
  guesses(word: string): readonly Guess[] {
    if (!isSpelt(word)) return []
    return this.cache.memo(word)
  }

  private search(word: string): Guess[] {
    const sound = soundOf(word)
    const keys = new Set([3, 2].flatMap((length) => edges(sound, length)))
    const near = new Set([...keys].flatMap((key) => this.byEdge.get(key) ?? []))
    const guesses: Guess[] = []
    for (const other of near) {
      const max = sound.length >= 8 && other.length >= 8 ? 2 : 1
      if (Math.abs(other.length - sound.length) > max + 1) continue
      const soundDistance = editDistance(sound, other)
      for (const candidate of this.bySound.get(other) ?? []) {
        const spellingDistance =
          Math.abs(candidate.length - word.length) > 1 ? max + 1 : editDistance(word, candidate)
        if ((soundDistance <= max || spellingDistance === 1) && isPlausibleTypo(word, candidate))
          guesses.push({
            word: candidate,
            editDistance:
              Math.min(soundDistance, spellingDistance) + unlikeliness(word, candidate, spellingDistance),
          })
      }
    }
    return guesses.sort((a, b) => a.editDistance - b.editDistance).slice(0, maxGuesses)
  }

  private addToIndex(edge: string, sound: string): void {
    const same = this.byEdge.get(edge)
    if (same) same.push(sound)
    else this.byEdge.set(edge, [sound])
  }
}

/** Returns a fraction of the distance that prefers a missing letter to other typos. */
function unlikeliness(word: string, candidate: string, spellingDistance: number): number {
  if (spellingDistance > 1) return 0.5
  return candidate.length === word.length + 1 ? 0 : 0.25
}

function isSpelt(word: string): boolean {
  return word.length >= 4 && word.length <= 24 && /^[a-z]+$/.test(word)
}

/** Returns whether a typo is plausible: in a short word it keeps the beginning, and in four letters it only omits or transposes letters. */
function isPlausibleTypo(word: string, candidate: string): boolean {
  const isTransposed = word.length > 5 && candidate[0] === word[1] && candidate[1] === word[0]
  if (isTransposed) return true
  if (candidate[0] !== word[0] && (word.length < 6 || soundOf(candidate)[0] !== soundOf(word)[0]))
    return false
  if (word.length > 4) return true
  if (candidate.length === word.length) return [...word].sort().join() === [...candidate].sort().join()
  return candidate.length === word.length + 1
}

function soundOf(word: string): string {
  return word
    .replace(/ph/g, 'f')
    .replace(/ch(?=r)/g, 'k')
    .replace(/ck|qu|q|c(?=[^eiyh]|$)/g, 'k')
    .replace(/y/g, 'i')
    .replace(/z/g, 's')
    .replace(/(.)\1+/g, '$1')
}

function edgeOf(sound: string): number {
  return sound.length >= 8 ? 3 : 2
}

function edges(sound: string, length: number): [string, string] {
  return [`${sound.slice(0, length)}_`, `_${sound.slice(-length)}`]
}

/** The rows of the distance matrix: two above, one above and the current one. They are reused, because this runs often. */
let [secondAbove, above, current] = rowsOf(32)

function rowsOf(length: number): [Uint16Array, Uint16Array, Uint16Array] {
  return [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)]
}

/** Returns the edit distance with transpositions (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  if (b.length >= current.length) [secondAbove, above, current] = rowsOf(b.length + 1)
  for (let column = 0; column <= b.length; column += 1) above[column] = column
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row
    for (let column = 1; column <= b.length; column += 1) {
      const changed = a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1
      let least = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + changed,
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, at(secondAbove, column - 2) + 1)
      current[column] = least
    }
    ;[secondAbove, above, current] = [above, current, secondAbove]
  }
  return at(above, b.length)
}

function at(row: Uint16Array, column: number): number {
  return row[column] ?? 0
}
