import { beforeEach, expect, test } from 'vitest'
import { dropFirstAnswers, keepFirstAnswer, takeFirstAnswer } from './first-answers.ts'

const address = '/api/listings?public=true'
const answer = Promise.resolve(new Response('[]'))

beforeEach(() => {
  dropFirstAnswers()
  keepFirstAnswer('token of ann', address, answer)
})

test('what was asked for first is given to who asked, once', () => {
  expect(takeFirstAnswer(address, 'token of ann')).toBe(answer)
  expect(takeFirstAnswer(address, 'token of ann')).toBeUndefined()
})

test('it answers no other question', () => {
  expect(takeFirstAnswer('/api/listings?mine=true', 'token of ann')).toBeUndefined()
})

test('nobody else gets it: another member, or who has logged out', () => {
  expect(takeFirstAnswer(address, 'token of bob')).toBeUndefined()
  expect(takeFirstAnswer(address, undefined)).toBeUndefined()
})

test('it is gone once the first screen stands', () => {
  dropFirstAnswers()
  expect(takeFirstAnswer(address, 'token of ann')).toBeUndefined()
})

test('that nobody answered is a failure for who takes it, and for nobody else', async () => {
  keepFirstAnswer('token of ann', address, Promise.reject(new TypeError('No network')))
  await expect(takeFirstAnswer(address, 'token of ann')).rejects.toThrow('No network')
})
