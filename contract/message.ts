/**
 * The arguments of an ICU message: `{name}` takes a text or a number, and `{count, plural, …}` and `{count, number}` take a number. A branch
 * of a plural has a space or a `#`, so that it is no argument.
 */
export type ArgumentsOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? ArgumentAt<Rest> & ArgumentsOf<Rest>
  : unknown

type ArgumentAt<Rest extends string> = Rest extends `${infer Head}}${string}` ? Argument<Head> : unknown

type Argument<Head extends string> = Head extends `${infer Name}, ${string}`
  ? Name extends `${string}${' ' | '#' | '{'}${string}`
    ? unknown
    : { readonly [Key in Name]: number }
  : Head extends `${string}${' ' | '#' | '{' | ','}${string}` | ''
    ? unknown
    : { readonly [Key in Head]: string | number }

export type Values = Readonly<Record<string, string | number>>

/** A text with the values of its arguments, which can be translated. */
export type Template = readonly [text: string, values: Values]

const templates = new Map<string, Template>()
const english = new Intl.NumberFormat('en-US')

/**
 * Marks an English text for translation and returns it. Its English is its identity and what is sent over the wire: translate it where
 * it is shown. The values of constants are filled in; a plural is not possible, because constants need none.
 */
export function msg<const Text extends string>(
  text: Text,
  ...values: unknown extends ArgumentsOf<Text> ? [] : [ArgumentsOf<Text>]
): string
export function msg(text: string, values?: Values): string {
  if (values === undefined) return text
  const filled = text.replaceAll(/\{(\w+)(, number)?\}/g, (_, name: string, format?: string) => {
    const value = values[name] ?? ''
    return format !== undefined && typeof value === 'number' ? english.format(value) : String(value)
  })
  templates.set(filled, [text, values])
  return filled
}

/** Returns the template of a text that `msg` has returned. */
export function templateOf(text: string): Template {
  return templates.get(text) ?? [text, {}]
}
