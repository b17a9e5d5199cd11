/** Returns a text in lower case, without accents and apostrophes, with "and" for its signs. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return (/[^ -~\s]/.test(lower) ? withoutAccents(lower) : lower)
    .replace(/(?<=\p{L})['`](?=\p{L})/gu, '')
    .replace(/\b(st|mrs?|ms|dra?|sra?|srta|ing|lic|prof|arq|var|subsp|[a-z])\. /g, '$1 ')
    .replace(/[&+]/g, ' and ')
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '´': "'",
  ʼ: "'",
  '×': ' ',
}

/** Matches accents that distinguish short Vietnamese words: "ổi" is a guava, "oi" is not a word. */
const toned = /[ạảấầẩẫậắằẳẵặẻẽẹếềểễệỉịỏọốồổỗộớờởỡợủụứừửữựỳỵỷỹơư]/

function withoutAccents(lower: string): string {
  const composed = lower.normalize('NFC')
  if (!toned.test(composed)) return plain(composed)
  return composed.replace(/[\p{L}\p{M}]+|[^\p{L}\p{M}]+/gu, (word) =>
    word.length <= 4 && toned.test(word) ? word : plain(word),
  )
}

/** Removes all accents, because many people omit them. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßøłđæœı’‘´ʼ×]/g, (letter) => plainLetters[letter] ?? letter)
}
