import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { type Language, sourceLanguage } from '#contract/languages.ts'
import type { SitePageName } from '#contract/site-pages.ts'
import { pageSetting } from '#contract/site-settings.ts'
import type { Deps } from '#server/deps.ts'

const defaults = join(import.meta.dirname, 'defaults')

/** Escapes HTML in the source. The Trusted Types policy in `web/api/trusted.ts` allows only the tags that these rules produce. */
const markdown = new MarkdownIt({ html: false }).disable(['image', 'table', 'code', 'fence', 'strikethrough'])
markdown.validateLink = (url) => /^(?:https?:|mailto:|tel:|#|\/(?!\/))/.test(url)

interface SitePage {
  readonly title: string
  readonly html: string
  readonly language: Language
}

type PageDeps = Pick<Deps, 'site' | 'pagesDir'>

/**
 * Returns the operator's page or the default, in the language if there is a translation. The first top-level heading is the title, or
 * else the name.
 */
export async function readSitePage(
  deps: PageDeps,
  name: SitePageName,
  wanted: Language = sourceLanguage,
): Promise<SitePage> {
  return renderSitePage(deps, name, await readText(deps, name, wanted))
}

/** Returns the page with this text. */
export function renderSitePage({ site }: Pick<Deps, 'site'>, name: SitePageName, found: Source): SitePage {
  const { name: siteName, support_email } = site.current()
  const text = found.text
    .replaceAll('{support_email}', support_email)
    .replaceAll('{site_name}', () => escapeMarkdown(siteName))
  const tokens = markdown.parse(text, {})
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const [, heading] = start < 0 ? [] : tokens.splice(start, 3)
  return {
    title: heading?.children?.map(({ content }) => content).join('') || name,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    language: found.language,
  }
}

/** Returns the Markdown from which an operator starts: what is saved for the language, or what the page is made from without it. */
export async function sourceOfSitePage(
  deps: PageDeps,
  name: SitePageName,
  language: Language,
): Promise<{ text: string; is_saved: boolean }> {
  const saved = deps.site.current()[pageSetting(name, language)]
  if (saved !== '') return { text: saved, is_saved: true }
  const { text } = await readText(deps, name, language)
  return { text, is_saved: false }
}

/** Returns text that Markdown shows as it is. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
}

interface Source {
  readonly text: string
  readonly language: Language
}

/**
 * Returns the first of these: the page that operators have saved in the language, the one in English, the file of the operator in the
 * language, the one in English, the default in the language, the default. An operator's own page comes before a translated default, because
 * its rules are the ones that hold.
 */
async function readText({ site, pagesDir }: PageDeps, name: SitePageName, wanted: Language): Promise<Source> {
  const byPreference = [...new Set([wanted, sourceLanguage])]
  for (const language of byPreference) {
    const text = site.current()[pageSetting(name, language)]
    if (text !== '') return { text, language }
  }
  for (const folder of pagesDir === undefined ? [defaults] : [pagesDir, defaults])
    for (const language of byPreference) {
      const text = await readIfThere(join(folder, language === sourceLanguage ? '' : language, `${name}.md`))
      if (text !== undefined) return { text, language }
    }
  throw new Error(`There is no page ${name}`)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
