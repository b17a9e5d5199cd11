import { currentI18n, i18n } from './i18n.ts'

/**
 * Translates messages of the contract, one a line, after `loadCatalog('contract')`. A message that the catalog does not have stays as it
 * is.
 */
export function translateMessage(text: string): string {
  return text.split('\n').map(translateLine).join('\n')
}

function translateLine(line: string): string {
  const { messages } = currentI18n()
  if (Object.hasOwn(messages, line)) return i18n._(line)
  for (const id of Object.keys(messages)) {
    const values = id.includes('{') && valuesIn(line, id)
    if (values) return i18n._(id, values)
  }
  return line
}

/** Returns the values of an English text by its template; undefined if it is of another one. */
function valuesIn(line: string, template: string): Record<string, string | number> | undefined {
  const pattern = template.replace(/\{(\w+)[^}]*\}|[.*+?^$()|[\]\\]/g, (part, name?: string) =>
    name === undefined ? `\\${part}` : `(?<${name}>.+?)`,
  )
  const found = new RegExp(`^${pattern}$`).exec(line)?.groups
  if (found === undefined) return undefined
  // A number is written again in the language of the page.
  const values = Object.entries(found).map(([name, text]) => [name, asNumber(text) ?? text] as const)
  return Object.fromEntries(values)
}

function asNumber(text: string): number | undefined {
  return /^\d{1,3}(,\d{3})*$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}
