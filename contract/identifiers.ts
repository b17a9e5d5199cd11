/** Matches characters without a glyph of their own: zero-width spaces, direction marks, variation selectors. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const decimalDigit = /^\p{Nd}$/u

/** Returns the ASCII digit of a decimal digit of any script. Unicode has them in runs of ten, from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (decimalDigit.test(String.fromCodePoint(start - 1))) start -= 1
  return String((code - start) % 10)
}

/**
 * Converts a typed or pasted e-mail address, token, postal code or number to the characters that it consists of. Removes invisible
 * characters, and converts full-width letters, digits of all scripts, dashes and the Arabic decimal point to ASCII.
 */
export function normalizeIdentifier(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll('\u066B', '.')
    .trim()
}
