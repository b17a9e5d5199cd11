import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { newMessage } from '#contract/messages.ts'
import { createWant } from '#contract/wants.ts'
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

// A regular expression with catastrophic backtracking would time out.
test.each(['a', 'a.', '.', '@', 'a@', '-', 'http://', 'https://a.', '(', ' ', '\n', '\u0301', 'www.', '1'])(
  'validates and renders 4000 characters of %j in linear time',
  (unit) => {
    const text = unit.repeat(4000).slice(0, 4000)
    const sent = { email: `${text}@a.`, username: text, title: text, description: text, content: text }
    shown(text)
    for (const schema of [newMessage, register.body, createListing.body, createWant.body])
      schema.safeParse({ ...sent, receiver_id: 1 })
  },
)
