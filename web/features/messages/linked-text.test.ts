import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LinkedText } from './linked-text.tsx'

const shown = (text: string) => renderToStaticMarkup(createElement(LinkedText, { text }))
const ownTag =
  /^<(\/?span|\/a|a href="https?:\/\/[^"<>]*" target="_blank" rel="noopener noreferrer nofollow")>$/

test.each([
  '"><img src=x onerror=alert(1)></a><script>alert(1)</script>',
  'javascript:alert(1)',
  'JaVaScRiPt://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'https://example.com/"onmouseover="alert(1)',
  "https://example.com/'><script>alert(1)</script>",
  'https://example.com\u202e/gro.knab',
  'ftp://example.com file:///etc/passwd \\\\example.com\\share',
])('renders a message as text with links only to web addresses: %s', (text) => {
  const tags = shown(text).match(/<\/?[a-z][^>]*>/gi) ?? []
  expect(tags.filter((tag) => !ownTag.test(tag))).toEqual([])
})

test('renders a web address as a link', () => {
  expect(shown('See https://example.com/figs')).toContain('<a href="https://example.com/figs"')
})

test.each(['a', 'a.', '.', '@', 'a@', '-', 'http://', 'https://a.', '(', ' ', '\n', '\u0301', 'www.', '1'])(
  'renders a repeated %j in linear time',
  (unit) => {
    const timeOf = (length: number) => {
      const text = unit.repeat(length / unit.length)
      const start = process.threadCpuUsage()
      shown(text)
      const { user, system } = process.threadCpuUsage(start)
      return user + system
    }
    // Eight times the text takes eight times as long, or 64 times if the time is quadratic. The garbage collector may disturb a measurement.
    const ratios = Array.from({ length: 4 }, () => timeOf(32_000) / (timeOf(4000) + 500))
    expect(Math.min(...ratios)).toBeLessThan(24)
  },
)
