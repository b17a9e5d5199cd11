const irregular: ReadonlyMap<string, string> = new Map([
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['halves', 'half'],
  ['knives', 'knife'],
  ['shelves', 'shelf'],
  ['cacti', 'cactus'],
  ['fungi', 'fungus'],
  ['children', 'child'],
  ['feet', 'foot'],
])

/** Returns the singular of a word by English rules. Words of the lexicon are compared in this form too. */
export function singular(word: string): string {
  const known = irregular.get(word)
  if (known) return known
  if (!word.endsWith('s') || word.length < 4) return word
  const before = word[word.length - 2]
  if (before === 's' || before === 'u' || before === 'i') return word
  if (before !== 'e') return word.slice(0, -1)
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ches|shes|xes|sses|zzes)$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('oes') && word.length > 5) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** Returns the possible singulars of a word: the word itself, then others by likelihood. */
export function singulars(word: string): string[] {
  const forms = [word]
  const add = (ending: string, ...replacements: string[]) => {
    if (word.endsWith(ending) && word.length - ending.length >= 2)
      for (const replacement of replacements) forms.push(word.slice(0, -ending.length) + replacement)
  }
  const known = irregular.get(word)
  if (known) forms.push(known)
  add('ies', 'y')
  add('s', '')
  add('es', '')
  add('ies', 'i', 'ie')
  add('ves', 'f', 'fe')
  add('ces', 'z')
  add('i', 'us')
  add('ae', 'a')
  add('a', 'um')
  return forms
}
