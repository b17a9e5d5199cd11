import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { afterEach, expect, test } from 'vitest'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { formatList } from './formats.ts'

const { lang } = document.documentElement
afterEach(() => {
  document.documentElement.lang = lang
})

test.each([
  ['en-US', 'bob', 'bob'],
  ['en-US', 'تفاح!', '\u2068تفاح!\u2069'],
  ['ar-US', 'تفاح!', 'تفاح!'],
  ['ar-US', 'bob', '\u2068bob\u2069'],
  ['ar-US', '10:30', '10:30'],
])('in a text of %s, the value %s keeps its direction', (language, name, shown) => {
  document.documentElement.lang = language

  expect(t`Hello ${name}.`).toBe(`Hello ${shown}.`)
  expect(formatList([name])).toBe(shown)
})

test('a value within elements keeps its direction and its tags', async () => {
  const { screen } = await renderInApp(
    <p>
      {['تفاح!', '<b>Peas</b>', '<0/>'].map((title) => (
        <span key={title}>
          <Trans>
            About <b>{title}</b>
          </Trans>
        </span>
      ))}
    </p>,
  )

  expect(screen.container.innerHTML).toContain(
    '<span>About <b><bdi>تفاح!</bdi></b></span><span>About <b><bdi>&lt;b&gt;Peas&lt;/b&gt;</bdi></b></span><span>About <b><bdi>&lt;0/&gt;</bdi></b></span>',
  )
})
