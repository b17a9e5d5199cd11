import escapeHtml from 'escape-html'

/** Markup that is safe to send: only `html` makes it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

type Value = Html | string | number | readonly Html[]

/** A template whose values are escaped, unless they are markup made by this function. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const written = values.map((value) => {
    if (value instanceof Html) return value.markup
    if (typeof value === 'object') return value.map(({ markup }) => markup).join('')
    return escapeHtml(String(value))
  })
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''))
}
