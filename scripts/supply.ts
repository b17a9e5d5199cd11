import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies } from 'semver'

const root = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

export interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly hasInstallScript: boolean
}

interface Locked {
  readonly version: string
  readonly license?: string
  readonly hasInstallScript?: boolean
}

/** Everything that package-lock.json may install, on whatever machine. */
export function lockedPackages(): Package[] {
  const locked: Record<string, Locked> = read('package-lock.json').packages
  return Object.entries(locked)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, hasInstallScript = false }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? undeclared[`${path}@${version}`] ?? 'unknown',
      hasInstallScript,
    }))
}

/** Licences that stand in a file of the package only. */
const undeclared: Record<string, string> = { 'node_modules/xmlhttprequest-ssl@2.1.2': 'MIT' }

/** Licences under which Rhubarb may be run and passed on. LGPL and MPL ask that changes to those packages are given away. */
const agreeable = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'ISC'],
  ...['LGPL-3.0', 'LGPL-3.0-or-later', 'MIT', 'MIT-0', 'MPL-2.0', 'Python-2.0', 'Unlicense'],
]

/** Whether a licence, or one of several to choose from, or all that apply together, can be agreed to. */
export function isAgreeable(licence: string): boolean {
  const plain = licence.replaceAll(/[()]/g, '')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAgreeable)
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isAgreeable)
  return agreeable.includes(plain)
}

/** Versions with holes that are publicly known, by package, and where that is told: `floors.json`. */
const holes: Record<string, { vulnerable: string; advisory: string }> = read('scripts/floors.json')

/** Why a version must not be used; `undefined` when nothing is known of it. */
export function knownHole({ name, version }: Pick<Package, 'name' | 'version'>): string | undefined {
  const hole = holes[name]
  return hole && satisfies(version, hole.vulnerable, { includePrerelease: true })
    ? `${name}@${version}: ${hole.advisory}`
    : undefined
}

/** The packages whose install scripts npm may run. */
export function approvedScripts(): string[] {
  const approved: Record<string, boolean> = read('package.json').allowScripts
  return Object.keys(approved).filter((name) => approved[name])
}
