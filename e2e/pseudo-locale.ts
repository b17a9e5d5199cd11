import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatter } from '@lingui/format-po'
import pseudolocale from 'pseudolocale'
import { node, startServer } from './global-setup.ts'

const root = join(import.meta.dirname, '..')
const site = join(root, '.cache', 'pseudo-locale')

/** The language whose translations the site of the test replaces. */
export const pseudoLanguage = 'de'

/** Matches the parts of an ICU message that a translator keeps: arguments, plurals and elements. */
const syntax =
  /<\/?\d+\/?>|\{\w+(?:, number)?\}|\{\w+, (?:plural|selectordinal),|(?:=\d+|zero|one|two|few|many|other) \{/g
const delimiter = '\uFFFF'

/** Returns an English text with accents and brackets, and about 40 % longer. */
export function pseudoTextOf(text: string): string {
  const branches = Math.max(1, text.match(/\w \{/g)?.length ?? 0)
  const shown = text.replace(syntax, '').length / branches
  const more = 'ōř ģà '.repeat(shown).slice(0, Math.ceil(shown * 0.4))
  return pseudolocale(text.replace(syntax, `${delimiter}$&${delimiter}`), {
    prepend: '⟦',
    append: ` ${more.trim()}⟧`,
    delimiter,
  }).replaceAll(delimiter, '')
}

/** Builds a copy of the site whose German is the pseudo-locale, and starts it. */
// biome-ignore lint/style/noDefaultExport: Playwright asks for one
export default async function startPseudoSite() {
  await copySite()
  for (const name of await readdir(join(site, 'locales', pseudoLanguage))) await writePseudoCatalog(name)
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  await promisify(execFile)(node, [vite, 'build', '--logLevel', 'warn'], { cwd: site })
  const { url, dataDir, stop } = await startServer({}, join(root, '.cache', 'pseudo-locale.log'), site)
  // biome-ignore lint/style/noProcessEnv: a global setup passes values to the workers this way
  Object.assign(process.env, { RHUBARB_URL: url, RHUBARB_DATA: dataDir })
  return stop
}

async function copySite() {
  await rm(site, { recursive: true, force: true })
  await mkdir(join(site, 'test'), { recursive: true })
  const parts = ['contract', 'locales', 'scripts', 'server', 'test/cheap-passwords.ts', 'web']
  const settings = [
    'lingui.config.ts',
    'package.json',
    'tsconfig.base.json',
    'tsconfig.json',
    'vite.config.ts',
  ]
  for (const part of [...parts, ...settings])
    await cp(join(root, part), join(site, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(site, 'node_modules'))
}

async function writePseudoCatalog(name: string) {
  const filename = join(site, 'locales', pseudoLanguage, name)
  const context = { locale: pseudoLanguage, sourceLocale: 'en', filename, existing: undefined }
  const catalog = await formatter().parse(await readFile(filename, 'utf8'), context)
  for (const [id, entry] of Object.entries(catalog)) entry.translation = pseudoTextOf(entry.message ?? id)
  await writeFile(filename, await formatter().serialize(catalog, context))
}
