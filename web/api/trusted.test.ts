import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('trustedTypes', { createPolicy: (_name: string, rules: object) => rules })
afterAll(() => vi.unstubAllGlobals())
const { ownMarkup } = await import('./trusted.ts')

test.each([
  '<script>alert(1)</script>',
  '<SCRIPT src=x>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<math><a></a></math>',
  '<form action=https://evil.example><input name=password></form>',
  '<link rel=stylesheet href=https://evil.example>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<meta\nHTTP-EQUIV=refresh>',
  '<iframe srcdoc=x>',
  '<img src=x onerror=alert(1)>',
  '<a href="#" onclick="alert(1)">x</a>',
  '<a/onclick=alert(1)>x</a>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<x-y>',
  '<a href="//evil.example">x</a>',
  '<a href="/safety" onclick="alert(1)">x</a>',
  '<h2 id=x>',
  '<h<p>2 onclick=alert(1)>',
  '<!-- <p> -->',
])('refuses markup that our mails and pages never have: %s', (html) => {
  expect(() => ownMarkup(html)).toThrow('Not our markup')
})

test('accepts the markup of a mail with the escaped text of members', () => {
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figs</title></head><body data-style="margin:0"><table role="presentation"><tr><td align="center"><a href="https://rhubarb.example/listings/1"><img src="https://rhubarb.example/mail/a.png" alt=""></a><br><p data-style="x">1 &lt; 2 onclick=x javascript: &lt;script&gt;</p></td></tr></table></body></html>'
  expect(ownMarkup(html)).toBe(html)
})

test('accepts the markup that the server renders from Markdown', () => {
  const html =
    '<h2>Before</h2>\n<ul>\n<li><strong>One</strong> <em>two</em> <code>&lt;b&gt;</code></li>\n</ul>\n<ol start="3">\n<li><a href="/safety" title="Meet">x</a> <a href="mailto:a@b.example">y</a></li>\n</ol>\n<blockquote>\n<p>1 &lt; 2<br>\n</p>\n</blockquote>\n<hr>\n'
  expect(ownMarkup(html)).toBe(html)
})
