import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { classify } from './classify.ts'
import { readLexiconData } from './crops.ts'
import { extractOffer } from './extract-offer.ts'
import { extractWant } from './extract-want.ts'
import { readLanguages } from './languages.ts'
import { Lexicon } from './lexicon.ts'
import { match } from './match.ts'
import { reasonOf, renderReason } from './reason.ts'
import { recognize } from './recognize.ts'
import { tokenize } from './tokenize.ts'
import { encodeWords } from './word-set.ts'
import { readWords } from './words.ts'

/** The files of a small Danish: names, inflection, words by their effect, reasons and a dictionary. */
const danish = {
  'crops.yaml': 'tomato: [tomat]\nblackcurrant: [solbær]\n',
  'things.yaml': 'greenhouse: [drivhus]\n',
  'inflection.yaml': 'plurals:\n  - ["(?<=[bdgklmnprt])$", er]\n',
  'reasons.yaml': 'same: "{wanted} står på din liste"\nsynonym: "{offered} er et andet navn for {wanted}"\n',
  'words/cues.yaml':
    'seeking: [søger]\nnegations: [ingen, ikke flere]\nfunction_words: [fra, jeg, på]\nlinks: [af]\nqualifiers: [modne, friske, masser, giver, væk]\n',
  'words/forms.yaml': 'form_values: { frø: seed }\nstop_words: [og]\nyoung_plants: [småplante]\n',
  'grammar.yaml': 'not_nouns: "ende$"\n',
}
const dictionary = [
  'tomat',
  'tomater',
  'masser',
  'modne',
  'friske',
  'stue',
  'giver',
  'cykel',
  'haven',
  'voksende',
  'den',
]

const folder = mkdtempSync(join(tmpdir(), 'lexicon-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(join(import.meta.dirname, 'lexicon'), folder, { recursive: true })
const danishFolder = join(folder, 'languages', 'da')
mkdirSync(join(danishFolder, 'words'), { recursive: true })
for (const [file, content] of Object.entries(danish)) writeFileSync(join(danishFolder, file), content)
writeFileSync(join(danishFolder, 'dictionary.bloom'), encodeWords(new Set(dictionary)))

const languages = readLanguages(folder)
const lexicon = new Lexicon(readLexiconData(folder), readWords(languages), languages)

function read(text: string, side: 'want' | 'listing') {
  const tokens = tokenize(text)
  const language = lexicon.languageOf(tokens.map(({ word }) => word))
  const { notNouns } = lexicon.language(language) ?? {}
  return classify(recognize(tokens, lexicon, language), side, lexicon.words, { language, notNouns })
}

function matchOf(want: string, listing: string) {
  const offer = { title: read(listing, 'listing'), description: [], emoji: [], category: null }
  return match(extractWant(read(want, 'want'), null), extractOffer(offer))
}

test.each([
  ['tomatoes', 'Friske tomater'],
  ['tomater', 'Tomato seedlings'],
  ['jeg søger solbær', 'Blackcurrants'],
  ['greenhouse', 'Drivhus'],
])('a folder is enough for a language: %s matches %s', (want, listing) => {
  expect(matchOf(want, listing)).toBeDefined()
})

test.each([
  ['tomatoes', 'Ingen tomater, jeg giver friske solbær'],
  ['tomatoes', 'Jeg søger modne tomater'],
  ['tomato plants', 'Frø af tomat'],
  ['stew', 'Modne stue'],
])('%s does not match %s', (want, listing) => {
  expect(matchOf(want, listing)).toBeUndefined()
})

test('a reason is told in the language', () => {
  const matched = matchOf('blackcurrants', 'Masser af friske solbær')
  const language = languages.find(({ code }) => code === 'da')
  expect(matched && language && renderReason(reasonOf(matched), language, 'interested')).toBe(
    'solbær er et andet navn for blackcurrant',
  )
})

test.each([
  ['tomatoes', 'Tomat cykel, jeg giver den væk', false],
  ['tomatoes', 'Tomat voksende i haven, jeg giver den væk', true],
])('the folder tells which words are no noun: %s in %s', (want, listing, isOffered) => {
  expect(matchOf(want, listing) !== undefined).toBe(isOffered)
})

test('the folder has the words that a search ignores and those for young plants', () => {
  expect(lexicon.words.stopWords).toContain('og')
  expect(lexicon.words.youngPlants).toContain('smaplante')
})
