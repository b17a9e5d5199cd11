import escapeHtml from 'escape-html'

/** Escaped markup. Only `html` creates it. */
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

/** A template tag that escapes its values unless they are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const escaped = values.map((value) => {
    if (value instanceof Html) return value.markup
    if (typeof value === 'object') return value.map(({ markup }) => markup).join('')
    return escapeHtml(String(value))
  })
  return new Html(parts.map((part, index) => part + (escaped[index] ?? '')).join(''))
}
