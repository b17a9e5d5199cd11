import { type I18n, type MessageDescriptor, type Messages, setupI18n } from '@lingui/core'
import { isolated, sourceLanguage } from '#contract/languages.ts'

let readLocale = (): string =>
  import.meta.env.SSR ? sourceLanguage : document.documentElement.lang || sourceLanguage

/** Sets how the server finds the locale of the page that it renders. */
export function readLocaleWith(read: () => string): void {
  readLocale = read
}

/** Returns the BCP 47 tag of the page, such as `es-US`, for the formats of `Intl`. */
export function locale(): string {
  return readLocale()
}

/** Returns the language of the page, such as `es`. */
export function language(): string {
  return locale().split('-')[0] ?? sourceLanguage
}

const instances = new Map<string, I18n>()

function instanceOf(tag: string): I18n {
  const known = instances.get(tag)
  if (known !== undefined) return known
  const created = setupI18n({ locale: tag, messages: { [tag]: {} } })
  instances.set(tag, created)
  return created
}

/** Returns the texts of the page: on the server, of the request that it renders. */
export function currentI18n(): I18n {
  return instanceOf(locale())
}

/**
 * Fills plain texts. The macros call it, in components and outside of them. A text without a translation is English. Its values are
 * isolated, so it has no `select`.
 */
export const i18n = {
  _(message: MessageDescriptor | string, values?: Values): string {
    if (typeof message === 'string') return currentI18n()._(message, isolate(values))
    return currentI18n()._({ ...message, ...(message.values && { values: isolate(message.values) }) })
  },
}

type Values = Record<string, unknown>

function isolate(values: Values = {}): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? isolated(value, language()) : value,
  ])
  return Object.fromEntries(entries)
}

/** Returns the text of a message that `msg` has declared. */
export function textOf(message: MessageDescriptor): string {
  return currentI18n()._(message)
}

/** The parts of a language's catalog: the messages of the contract, the screens of guests and those of members. */
type Catalog = 'contract' | 'guest' | 'members'

export function catalogsOf(isMember: boolean): readonly Catalog[] {
  return isMember ? ['contract', 'guest', 'members'] : ['contract', 'guest']
}

const loaders = import.meta.glob<{ messages: Messages }>('../../locales/*/{contract,guest,members}.po')
const loads = new Map<string, Promise<void> | 'done'>()

/**
 * Loads the page's catalogs once. Returns undefined if they are loaded; English has none. If one fails, its texts stay English and the
 * next call tries again.
 */
export function loadCatalogs(isMember: boolean): Promise<void> | undefined {
  const waiting = catalogsOf(isMember)
    .map(loadCatalog)
    .filter((loading) => loading !== 'done')
  if (waiting.length > 0) return Promise.all(waiting).then(() => undefined)
}

function loadCatalog(catalog: Catalog): Promise<void> | 'done' {
  const tag = locale()
  const read = loaders[`../../locales/${language()}/${catalog}.po`]
  if (read === undefined) return 'done'
  const key = `${tag}/${catalog}`
  const known = loads.get(key)
  if (known !== undefined) return known
  const loading = read().then(
    ({ messages }) => {
      instanceOf(tag).load(tag, messages)
      loads.set(key, 'done')
    },
    () => void loads.delete(key),
  )
  loads.set(key, loading)
  return loading
}
