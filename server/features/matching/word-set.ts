import { readFileSync } from 'node:fs'

/** Each word sets this many bits. With as many bits a word as `bitsPerWord`, 1 of 1,000 other words seems to be in the set. */
const probes = 10
const bitsPerWord = 15

/** A Bloom filter: a set of words without the words, in two bytes a word. It never misses a word of the set. */
export class WordSet {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  has(word: string): boolean {
    const size = this.bytes.length * 8
    const [first, step] = hashesOf(word)
    for (let probe = 0; probe < probes; probe += 1) {
      const bit = ((first + probe * step) >>> 0) % size
      if (((this.bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
    }
    return true
  }
}

/** Reads a set from the file that `encodeWords` filled. */
export function readWordSet(path: string): WordSet {
  return new WordSet(readFileSync(path))
}

/** Returns the bytes of a set of words. The same words give the same bytes. */
export function encodeWords(words: ReadonlySet<string>): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((words.size * bitsPerWord) / 8))
  for (const word of words) {
    const [first, step] = hashesOf(word)
    for (let probe = 0; probe < probes; probe += 1) {
      const bit = ((first + probe * step) >>> 0) % (bytes.length * 8)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
  }
  return bytes
}

/** Returns two hashes of a word (FNV-1a with two seeds). Each probe adds the second to the first once more. */
function hashesOf(word: string): [number, number] {
  let [first, step] = [0x811c9dc5, 0x9747b28c]
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    step = Math.imul(step ^ unit, 0x01000193)
  }
  return [first, (step ^ (step >>> 15)) | 1]
}
