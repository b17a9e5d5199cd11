import { expect, test } from 'vitest'
import { tellReason } from './explain.ts'
import { match } from './match.ts'
import { readListing, readWant } from './pipeline.ts'
import { reasonOf } from './reason.ts'

function reason(want: string, title: string) {
  const matched = match(readWant({ title: want }), readListing({ title, description: '' }))
  if (!matched) throw new Error(`${want} does not match ${title}`)
  return reasonOf(matched)
}

test.each([
  ['calabacín', 'Zucchini', 'Zucchini es otro nombre de calabacín', 'Zucchini is another name for calabacín'],
  [
    'zucchini',
    'Calabacines',
    'calabacín es otro nombre de zucchini',
    'calabacín is another name for zucchini',
  ],
  ['limones', 'Limones de mi patio', 'limón está en tu lista', 'limón is on your list'],
  ['árboles frutales', 'Peach', 'peach es un tipo de árbol frutal', 'peach is an árbol frutal'],
  ['veggies', 'Kale', 'kale es un tipo de vegetable', 'kale is a vegetable'],
])('the reason why %s matches %s is told in the language of the reader', (want, title, spanish, english) => {
  const found = reason(want, title)

  expect(tellReason(found, 'es', 'interested').toLowerCase()).toBe(spanish.toLowerCase())
  expect(tellReason(found, 'en', 'interested').toLowerCase()).toBe(english.toLowerCase())
})

test('a reason for the owner of the listing is about their list', () => {
  expect(tellReason(reason('kale', 'Kale'), 'en', 'owner')).toBe('kale is on their list')
  expect(tellReason(reason('kale', 'Kale'), 'es', 'owner')).toBe('kale está en su lista')
})

test('a reason in a language without reasons is told in English', () => {
  expect(tellReason(reason('kale', 'Kale'), 'nl', 'interested')).toBe('kale is on your list')
})

test('a reason is data with the terms of concepts', () => {
  expect(reason('tomatoes', 'Sungold')).toEqual({
    kind: 'kind',
    wanted: { term: 'tomato', name: 'tomato' },
    offered: { term: 'cherry-tomato/sungold', name: 'Sungold' },
  })
})

test('different kinds of a thing are no synonyms', () => {
  expect(tellReason(reason('chickens', 'Rooster'), 'en', 'interested')).toBe('rooster is a chicken')
  expect(
    match(readWant({ title: 'laying hens' }), readListing({ title: 'Rooster', description: '' })),
  ).toBeUndefined()
})
