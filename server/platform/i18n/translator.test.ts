import { expect, test } from 'vitest'
import { msg } from '#contract/message.ts'
import { createTranslators } from './translator.ts'

const inUsa = createTranslators({ country: 'US', currency: 'USD' })
const inSpain = createTranslators({ country: 'ES', currency: 'EUR' })

test('a text is translated with its values and the plural of its number', () => {
  const t = inUsa('es')

  expect(t('{name} thanks you', { name: 'Ann' })).toBe('Ann te da las gracias')
  expect(t('{count, plural, one {A photo} other {# photos}}', { count: 1 })).toBe('Una foto')
  expect(t('{count, plural, one {A photo} other {# photos}}', { count: 1200 })).toBe('1,200 fotos')
})

test.each(['en', null, undefined, 'xx', 'constructor'])('a reader of %s gets English', (language) => {
  const t = inUsa(language)

  expect(t.language).toBe('en')
  expect(t('{count, plural, one {A photo} other {# photos}}', { count: 2 })).toBe('2 photos')
})

test('a message of the contract is translated with the values of its constants', () => {
  expect(inUsa('es')(msg('You can have at most {max, number} friends', { max: 5000 }))).toBe(
    'Puedes tener 5,000 amistades como máximo',
  )
})

test('a text without a translation is returned as it is, also if it looks like a message', () => {
  expect(inUsa('es')('Please check "{a} {b, plural"' as string)).toBe('Please check "{a} {b, plural"')
})

test('a value is never changed, whatever it contains', () => {
  const name = String.raw`\u0041 \x41 {name} '{' # <b>`

  expect(inUsa('es')('{name} thanks you', { name })).toBe(`${name} te da las gracias`)
  expect(inUsa('en')('{name} thanks you', { name })).toBe(`${name} thanks you`)
})

test('amounts and dates are written as in the language and the country of the site', () => {
  const moment = '2026-05-03T01:30:00.000Z'

  expect(inUsa('en').money(1234.5)).toBe('$1,234.50')
  expect(inUsa('en').money(4)).toBe('$4')
  expect(inUsa('es').money(1234.5)).toBe('$1,234.50')
  expect(inSpain('es').money(1234.5)).toBe('1234,50\u00a0€')
  expect(inUsa('en', 'America/Los_Angeles').date(moment, 'day')).toBe('May 2')
  expect(inUsa('es', 'America/Los_Angeles').date(moment, 'day')).toBe('2 de mayo')
  expect(inUsa('es', 'not/a-zone').date(moment, 'day')).toBe('3 de mayo')
  expect(inUsa('es').list(['Ann', 'Inés', 'Ignacio'])).toBe('Ann, Inés e Ignacio')
})

test('a value of the other direction is isolated from its sentence', () => {
  expect(inUsa('en')('{name} thanks you', { name: 'سارة' })).toBe('\u2068سارة\u2069 thanks you')
  expect(inUsa('ar')('{name} thanks you', { name: 'Ann' })).toContain('\u2068Ann\u2069')
  expect(inUsa('ar')('{name} thanks you', { name: 'سارة' })).not.toContain('\u2068')
  expect(inUsa('en').list(['Ann', 'سارة'])).toBe('Ann and \u2068سارة\u2069')
})
