import { expect, test } from 'vitest'
import { conceptTerm, indexTerms, isWord, queryWords } from './index-terms.ts'
import { lexicon } from './lexicon.ts'

test.each([
  ['Berries, cookies and pies', ['berry', 'cooky', 'pie']],
  ['Boxes, radishes, peaches & grasses', ['box', 'radish', 'peach', 'grass']],
  ['Asparagus, citrus, cress, iris', ['asparagus', 'citrus', 'cress', 'iris']],
  ['Garden shoes and hoes', ['garden', 'shoe', 'hoe']],
  ['Crème, Straße, Smørrebrød', ['creme', 'strasse', 'smorrebrod']],
  ['tomatoes TOMATO Tomatos', ['tomato']],
])('indexes and searches the same singular words: %s', (title, words) => {
  expect(
    indexTerms({ title, description: '' })
      .map(({ term }) => term)
      .filter(isWord),
  ).toEqual(words)
  expect(queryWords(title).flat().filter(isWord)).toEqual(words)
})

test('concepts have unique terms', () => {
  const { data } = lexicon()
  const concepts = data.crops.map(({ key }) => key)
  expect(concepts.length).toBeGreaterThan(100)
  expect(new Set(concepts.map(conceptTerm)).size).toBe(concepts.length)
})

test.each(['free tomatoes', 'tomatoes for sale', '2 dozen tomatoes', 'lots of tomatoes'])(
  'searches only the crop of “%s”',
  (q) => {
    expect(queryWords(q)).toEqual(queryWords('tomatoes'))
  },
)

test('searches words about the offer if no word names a crop', () => {
  expect(queryWords('free spaceship')).toEqual([['free'], ['spaceship']])
})

test('finds the cultivars that a description offers', () => {
  const terms = indexTerms({ title: 'Tomato starts', description: 'Cherokee Purple and Sungold, $3' })
  const [words] = queryWords('cherokee purple')
  expect(terms.map(({ term }) => term)).toEqual(expect.arrayContaining([...(words ?? [])]))
})
