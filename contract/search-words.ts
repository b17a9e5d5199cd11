import { limits } from './constants.ts'

/** Matches a character that is a word by itself in Chinese, Japanese and Korean. */
const cjkCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Returns whether a text is long enough for a search: it has `min` characters, or one of Chinese, Japanese or Korean. */
export function isSearchable(text: string, min: number = limits.query.min): boolean {
  return text.length >= min || cjkCharacter.test(text)
}
