import { expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { newMessage } from '#contract/messages.ts'
import { subscribeToPush } from '#contract/push.ts'
import { createWant } from '#contract/wants.ts'
import { recognizeText } from '#server/features/matching/pipeline.ts'
import { tokenize } from '#server/features/matching/tokenize.ts'

/** Repeated, these are the worst cases for backtracking patterns and nested loops. */
const units = [
  'a',
  'a ',
  'a.',
  'a, ',
  '?',
  'a?',
  '? a',
  '.',
  '-',
  ' - ',
  '@',
  'a@',
  '(',
  ' ',
  '\n',
  "'",
  "a's ",
  'h: ',
  '1',
  '1.',
  'www.',
  'http://',
  'https://a.',
  'e\u0301',
  '\u0301',
  '\ufdfa',
  '番茄',
  '🍅',
  'tomatos ',
  'cherry tomato ',
]

const work: Record<string, (text: string) => unknown> = {
  'a message': (text) => newMessage.safeParse({ receiver_id: 1, content: text }),
  'a registration': (text) =>
    register.body.safeParse({ first_name: text, username: text, email: `${text}@a.b`, password: text }),
  'a listing': (text) => createListing.body.safeParse({ title: text, description: text }),
  'a want': (text) => createWant.body.safeParse({ title: text }),
  'a push subscription': (text) => subscribeToPush.body.safeParse({ endpoint: `https://${text}` }),
  'the tokens of a text': (text) => tokenize(text),
}

/** Returns the processor time of this thread in milliseconds, the minimum of several runs. */
function time(run: (text: string) => unknown, text: string): number {
  let best = Infinity
  for (let turn = 0; turn < 2; turn += 1) best = Math.min(best, timeOnce(run, text))
  return best
}

function timeOnce(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  run(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const short = 4000
const factor = 8
/** For a text that is `factor` times as long, linear work takes `factor` times as long and quadratic work its square. */
const maxRatio = 3 * factor
const noiseMs = 0.5

test.each(Object.keys(work))('parsing %s takes linear time', (name) => {
  const run = work[name] ?? (() => undefined)
  for (const unit of units) {
    // Some patterns look for a question mark at the start.
    const of = (length: number) => `?${unit.repeat(length / unit.length)}`
    const ratio = () => time(run, of(factor * short)) / (time(run, of(short)) + noiseMs)
    // The compiler and the garbage collector disturb measurements, so the best of several counts.
    let best = ratio()
    for (let turn = 0; turn < 4 && best >= maxRatio; turn += 1) best = Math.min(best, ratio())
    expect(best, JSON.stringify(unit)).toBeLessThan(maxRatio)
  }
})

test('a text of many misspelt words takes little more time than one of some', () => {
  let words = 0
  // New words, because corrections are cached.
  const newWord = () => {
    words += 1
    return `ca${Array.from(String(10_000 + words), (digit) => 'eiraltnsoc'[Number(digit)]).join('')}er`
  }
  const timeOf = (count: number) => timeOnce(recognizeText, Array.from({ length: count }, newWord).join(' '))
  timeOf(40)
  const ratios = Array.from({ length: 3 }, () => timeOf(400) / (timeOf(40) + noiseMs))
  expect(Math.min(...ratios)).toBeLessThan(4)
})
