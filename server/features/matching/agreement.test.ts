import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortOrLong } from '#test/long.ts'
import { seed } from '#test/seed.ts'
import { lexicon } from './lexicon.ts'
import { offerTerms, wantTerms } from './match.ts'
import { type ListingText, matchTexts, readListing, readWant, type WantText } from './pipeline.ts'

const { crops, groups, things } = lexicon().data
const names = [
  ...crops.flatMap((crop) => [
    crop.key.replaceAll('-', ' '),
    ...crop.names,
    ...crop.cultivars,
    ...crop.latin,
  ]),
  ...groups.flatMap((group) => group.names),
  ...things.flatMap((thing) => thing.names),
  'xylophone',
  'old piano',
]
/** A few names that are chosen often, so that many pairs match. */
const frequentNames = [
  'tomato',
  'Brandywine',
  'courgette',
  'zucchini',
  'kale',
  'leafy green',
  'compost',
  'cage',
  'lemon',
  'sweet potato',
]

const name = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...frequentNames))
const mark = fc.constantFrom(
  ' ',
  ', ',
  ' and ',
  ' or ',
  ' for ',
  ' except ',
  '. No ',
  ' - ',
  ' next to the ',
  '. Also have ',
  ' cage, ',
)
const madeTitle = fc
  .array(
    fc.tuple(fc.constantFrom('', 'fresh ', '3 ', 'organic '), name, fc.constantFrom('', 's', ' seeds'), mark),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.flat().join('').slice(0, 120))
const anyTitle = fc.oneof(
  { weight: 9, arbitrary: madeTitle },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 120 }) },
)
const category = fc.constantFrom(1, 2, 3, null)

const want: fc.Arbitrary<WantText> = fc.record({ title: anyTitle, category_id: category })
const listing: fc.Arbitrary<ListingText> = fc.record({
  title: anyTitle,
  description: fc.oneof(fc.constant(''), anyTitle),
  category_id: category,
})

test('the index terms of a listing find all wants that match it', () => {
  let matches = 0
  fc.assert(
    fc.property(fc.array(want, { minLength: 10, maxLength: 25 }), listing, (wants, offered) => {
      const index = new Map<string, Set<WantText>>()
      for (const each of wants)
        for (const term of wantTerms(readWant(each)))
          index.set(term, (index.get(term) ?? new Set()).add(each))
      const candidates = new Set(
        offerTerms(readListing(offered)).flatMap((term) => [...(index.get(term) ?? [])]),
      )

      const direct = wants.filter((each) => matchTexts(each, offered))
      matches += direct.length
      expect(wants.filter((each) => candidates.has(each) && matchTexts(each, offered))).toEqual(direct)
    }),
    { numRuns: shortOrLong(60, 400), seed },
  )
  expect(matches).toBeGreaterThan(shortOrLong(30, 100))
})

test('every name of the lexicon has index terms and every concept is its own ancestor', () => {
  for (const name of names) expect(wantTerms(readWant({ title: name })), name).not.toEqual([])
  for (const concept of lexicon().concepts.values())
    expect(concept.ancestors.has(concept.term), concept.term).toBe(true)
})

test('a want matches a listing with the same title', () => {
  fc.assert(
    fc.property(name, (title) => {
      const named = { title, category_id: null }
      expect(matchTexts(named, { ...named, description: '' })?.kind, title).toMatch(/^(?:same|words)$/)
    }),
    { numRuns: 1500, seed },
  )
})
