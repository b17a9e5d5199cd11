import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Crop, type LexiconData, readLexiconData } from './crops.ts'
import { readLanguages } from './languages.ts'
import { errorsIn, unsortedLists } from './validate.ts'
import { readLists } from './words.ts'

const folder = join(import.meta.dirname, 'lexicon')

test('the lexicon has no errors', () => {
  expect(errorsIn(readLexiconData(folder))).toEqual([])
})

test('the word lists are in alphabetical order', () => {
  expect(readLanguages(folder).flatMap((language) => unsortedLists(readLists(language)))).toEqual([])
})

test('a phrase outside its alphabetical place is an error', () => {
  expect(unsortedLists({ forms: ['plug', 'plántula', 'seed'] })).toEqual([
    'forms: "plántula" is not in its alphabetical place',
  ])
})

test('the error for invalid YAML names the file and the line', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'rhubarb-lexicon-'))
  await writeFile(join(folder.path, 'vegetables.yaml'), 'kale:\n  names: [curly kale\nleek: {}\n')

  expect(() => readLexiconData(folder.path)).toThrow(/in "vegetables\.yaml" \(3:/)
})

function crop(key: string, rest: Partial<Crop> = {}): Crop {
  const empty = {
    latin: [],
    names: [],
    foreign: {},
    spoken: {},
    cultivars: [],
    aliases: {},
    groups: [],
    shares: [],
    of: [],
  }
  return { key, file: 'vegetables', category: 'produce', ...empty, ...rest }
}

function errors(crops: Crop[], groups: LexiconData['groups'] = []): string[] {
  return errorsIn({ crops, groups, things: [], traits: new Map() })
}

test('a name of two crops is an error unless both share it', () => {
  const [arugula, rocket] = [
    crop('arugula', { names: ['Rocket'] }),
    crop('dames-rocket', { names: ['rockets'] }),
  ]

  expect(errors([arugula, rocket])).toEqual([
    '"Rocket" means arugula and dames-rocket: arugula, dames-rocket must say so in shares',
  ])
  expect(errors([{ ...arugula, shares: ['rocket'] }, rocket])).toHaveLength(1)
  expect(
    errors([
      { ...arugula, shares: ['rocket'] },
      { ...rocket, shares: ['rocket'] },
    ]),
  ).toEqual([])
})

test('a trait of what is no crop, cultivar or thing is an error', () => {
  const data = { crops: [crop('tomato', { cultivars: ['Early Girl'] })], groups: [], things: [] }
  const hybrid = [{ of: 'lineage', values: ['hybrid'] }]

  expect(errorsIn({ ...data, traits: new Map([['tomato/early-girl', hybrid]]) })).toEqual([])
  expect(errorsIn({ ...data, traits: new Map([['tomato/early-gril', hybrid]]) })).toEqual([
    'traits.yaml has tomato/early-gril, which is no crop, cultivar or thing',
  ])
})

test('a cultivar with the name of another crop is an error unless its crop shares it', () => {
  const lemon = crop('lemon')
  const cucumber = crop('cucumber', { cultivars: ['Lemon'] })

  expect(errors([lemon, cucumber])).toHaveLength(1)
  expect(errors([lemon, { ...cucumber, shares: ['lemon'] }])).toEqual([])
})

test.each([
  ['a crop without a category', [crop('kale', { category: undefined })]],
  ['a key that is not kebab-case', [crop('Curly Kale')]],
  ['a crop twice', [crop('kale'), crop('kale')]],
  ['a group that is not defined', [crop('kale', { groups: ['brassicas'] })]],
  ['a kind of an unknown crop', [crop('zucchini', { of: ['summer-squash'] })]],
])('%s is an error', (_, crops) => {
  expect(errors(crops)).not.toEqual([])
})

test('a cycle of kinds is an error', () => {
  expect(errors([crop('a', { of: ['b'] }), crop('b', { of: ['a'] })])).not.toEqual([])
})

test('a group without crops is an error', () => {
  expect(
    errors([crop('kale')], [{ key: 'ferns', one: 'fern', names: [], foreign: {}, holds: [], files: [] }]),
  ).toEqual(['no crop is in the group ferns'])
})
