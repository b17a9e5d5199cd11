import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createTranslators } from './i18n/translator.ts'
import { factTable, linkList, renderMail } from './render-mail.ts'

const t = createTranslators(readConfig({}).region)(null)
const { html } = renderMail(
  {
    to: 'ann@example.com',
    t,
    subject: 'A mail',
    title: 'A mail',
    kind: 'notice',
    preview: 'Preview',
    body: ['Hello', factTable([['Where', 'Portland']], '0', t)],
    action: { label: 'Open', path: '/' },
    after: [linkList('Also:', [{ label: 'One', path: '/', text: 'One' }])],
    optional: { because: 'Because.', links: [{ label: 'Stop', path: '/stop-mails' }], oneClick: '/stop' },
  },
  {
    publicUrl: 'https://rhubarb.test',
    site: () => ({ support_email: 'hello@rhubarb.test', name: 'Rhubarb', logo: null }),
  },
)

/** Returns the WCAG contrast of two colors like #FFFFFF. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('every color of a mail has a dark one that can be read, except on the button', () => {
  const [, dark = ''] = /@media \(prefers-color-scheme: dark\) \{(.*)\}<\/style>/.exec(html) ?? []
  const styles = [...html.replace(/<td style="background:#6B1A30.*?<\/td>/, '').matchAll(/style="([^"]*)"/g)]
  const colors = new Set(
    styles
      .map(([, style = '']) => style)
      .filter((style) => !style.includes('display:none'))
      .flatMap((style) => style.match(/(?<![a-z-])(?:background|color):#\w{6}|solid #\w{6}/g) ?? []),
  )
  expect(colors.size).toBeGreaterThan(6)
  const darkOf = (color: string) => dark.split(`[style*="${color}"] { `)[1]?.match(/#\w{6}/)?.[0] ?? 'none'
  expect([...colors].filter((color) => darkOf(color) === 'none')).toEqual([])
  const of = (kind: string) => [...colors].filter((color) => color.startsWith(`${kind}:`)).map(darkOf)
  for (const text of of('color'))
    for (const background of of('background')) expect(contrast(text, background)).toBeGreaterThan(7)
})
