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

test.each([
  [
    'See https://example.com/figs (or http://example.com/a_(b)).',
    ['https://example.com/figs', 'http://example.com/a_(b)'],
  ],
  ['See www.example.com, WWW.example.com/figs.', ['https://www.example.com', 'https://WWW.example.com/figs']],
])('renders the web addresses of %j as links', (text, addresses) => {
  expect(Array.from(shown(text).matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual(addresses)
})

test.each([
  'I have tomatoes.Is Monday fine?',
  'They are ready.To pick up, come at 3pm.At the gate',
  'figs.com example.com/figs ann@example.com bob@www.example.com',
  'mailto:ann@example.com tel:5551234 ready.www.example.com',
  'www. http:// https:///',
])('renders %j without links', (text) => {
  expect(shown(text)).not.toContain('<a')
})
