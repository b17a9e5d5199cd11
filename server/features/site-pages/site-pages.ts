import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { type Language, sourceLanguage } from '#contract/languages.ts'
import type { SitePageName } from '#contract/site-pages.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
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

/**
 * Returns the operator's page or the default, in the language if there is a translation. The first top-level heading is the title, or
 * else the name.
 */
export async function readSitePage(
  { support_email, pagesDir }: Pick<SiteSettings, 'support_email'> & Pick<Deps, 'pagesDir'>,
  name: SitePageName,
  wanted: Language = sourceLanguage,
): Promise<SitePage> {
  const found = await readText(pagesDir, name, wanted)
  const tokens = markdown.parse(found.text.replaceAll('{support_email}', support_email), {})
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const [, heading] = start < 0 ? [] : tokens.splice(start, 3)
  return {
    title: heading?.content || name,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    language: found.language,
  }
}

/**
 * Returns the Markdown of the first of these files: the operator's translation, the operator's page, the default in the language, the
 * default. An operator's own page comes before a translated default, because its rules are the ones that hold.
 */
async function readText(operatorFolder: string | undefined, name: SitePageName, wanted: Language) {
  for (const folder of operatorFolder === undefined ? [defaults] : [operatorFolder, defaults])
    for (const language of new Set([wanted, sourceLanguage])) {
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
