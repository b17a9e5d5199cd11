import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLexiconData } from './crops.ts'
import { matchTexts } from './pipeline.ts'

const { crops, groups } = readLexiconData(join(import.meta.dirname, 'lexicon'))

const letters = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}]/gu, '')

function plural(name: string) {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

function reason(want: string, title: string) {
  return matchTexts({ title: want }, { title, description: '' })?.reason
}

test('the reason for a plural uses a name of the lexicon', () => {
  const known = new Set([
    ...groups.flatMap(({ one, names }) => [one, ...names].map(letters)),
    ...crops.flatMap(({ key, names, latin, foreign, spoken, cultivars }) =>
      [key, ...names, ...latin, ...cultivars, ...Object.values({ ...foreign, ...spoken }).flat()].map(
        letters,
      ),
    ),
  ])
  const names = crops.flatMap(({ key, names }) => [key, ...names]).filter((name) => /^[a-z]*[^s]$/.test(name))
  const unknown = names.flatMap((name) => {
    // "Ashes" is not a plural of the tree.
    if (name === 'ash') return []
    const [shown = ''] = reason(name, plural(name))?.split(' is ') ?? []
    return known.has(letters(shown)) ? [] : [`${plural(name)}: ${shown}`]
  })

  expect(names.length).toBeGreaterThan(1800)
  expect(unknown).toEqual([])
})

test.each([
  ['hot pepper', 'Chilies', 'chili is another name for hot pepper'],
  ['hot pepper', 'Chillies', 'chilli is another name for hot pepper'],
  ['kohlrabi', 'Kohlrabies', 'kohlrabi is on your list'],
  ['garlic', 'Softneck', 'Softneck is a garlic'],
])('a want of %s matches %s because %s', (want, title, expected) => {
  expect(reason(want, title)).toBe(expected)
})
