import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('trustedTypes', { createPolicy: (_name: string, rules: object) => rules })
afterAll(() => vi.unstubAllGlobals())
const { mailMarkup } = await import('./trusted.ts')

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
  '<!-- <p> -->',
])('refuses markup that no mail of ours has: %s', (html) => {
  expect(() => mailMarkup(html)).toThrow('Not our markup')
})

test('takes the markup of a mail, and what members wrote in it as text', () => {
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figs</title></head><body data-style="margin:0"><table role="presentation"><tr><td align="center"><a href="https://rhubarb.example/listings/1"><img src="https://rhubarb.example/mail/a.png" alt=""></a><br><p data-style="x">1 &lt; 2 onclick=x javascript: &lt;script&gt;</p></td></tr></table></body></html>'
  expect(mailMarkup(html)).toBe(html)
})
