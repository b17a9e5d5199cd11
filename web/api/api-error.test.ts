import { expect, test } from 'vitest'
import { ApiError, errorText } from './api-error.ts'

const json = (body: unknown) => JSON.stringify(body)

test.each([
  ['a detail', json({ detail: 'Too many attempts.' }), 'Too many attempts.'],
  [
    'a list of details',
    json({ detail: ['Sentence one', { msg: 'Sentence two' }, { message: 'Sentence three' }] }),
    'Sentence one\nSentence two\nSentence three',
  ],
  ['a detail before a message', json({ detail: 'Used already.', message: 'Other' }), 'Used already.'],
  ['a message alone', json({ message: 'Back at noon.' }), 'Back at noon.'],
  ['a blank detail', json({ detail: ' ' }), 'The fallback'],
  ['another value', json(['Sentence one']), 'The fallback'],
  ['a page', '<h1>Bad gateway</h1>', 'The fallback'],
  ['nothing', '', 'The fallback'],
])('an error is displayed as its messages, or as the fallback: %s', async (_, body, text) => {
  const error = await ApiError.from(new Response(body, { status: 400 }))
  expect(errorText(error, 'The fallback')).toBe(text)
})

test('a call without a response is displayed as such, and any other error as the fallback', () => {
  expect(errorText(ApiError.offline(new TypeError('Failed to fetch')))).toBe(
    'No response from server. Please try again later.',
  )
  expect(errorText(new Error('A browser that can not write'))).toBe('An error occurred')
})
