import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import type { SitePageName } from '#contract/site-pages.ts'
import type { Deps } from '#server/deps.ts'

const defaults = join(import.meta.dirname, 'defaults')

/** Escapes HTML in the source. The Trusted Types policy in `web/api/trusted.ts` allows only the tags that these rules produce. */
const markdown = new MarkdownIt({ html: false }).disable(['image', 'table', 'code', 'fence', 'strikethrough'])
markdown.validateLink = (url) => /^(?:https?:|mailto:|tel:|#|\/(?!\/))/.test(url)

interface SitePage {
  readonly title: string
  readonly html: string
}

/** Returns the operator's page or the default. The first top-level heading is the title, or else the name. */
export async function readSitePage(
  { support_email, pages_dir }: Deps['site'],
  name: SitePageName,
): Promise<SitePage> {
  const text = (await readText(pages_dir, name)).replaceAll('{support_email}', support_email)
  const tokens = markdown.parse(text, {})
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const [, heading] = start < 0 ? [] : tokens.splice(start, 3)
  return { title: heading?.content || name, html: markdown.renderer.render(tokens, markdown.options, {}) }
}

/** Returns the Markdown of the operator's file, or of the default if there is no such file. */
async function readText(folder: string | undefined, name: SitePageName): Promise<string> {
  const file = `${name}.md`
  if (folder !== undefined) {
    try {
      return await readFile(join(folder, file), 'utf8')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return readFile(join(defaults, file), 'utf8')
}
