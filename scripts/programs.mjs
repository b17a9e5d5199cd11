// Finds and installs programs that the tests need besides npm packages.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { environment, run } from './setup.mjs'

/**
 * @param {string} name
 * @returns {string | undefined} its path
 */
export function findProgram(name) {
  const paths = (environment.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Installs the first of these packages that apt has. Does nothing without apt.
 * @param {...string} packages
 */
export async function installFromApt(...packages) {
  const isRoot = process.getuid?.() === 0
  if (!findProgram('apt-get') || (!isRoot && !findProgram('sudo'))) return
  /** @param {...string} args */
  function apt(...args) {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args]
    const [program = '', ...rest] = isRoot ? command : ['sudo', '-n', ...command]
    return run(program, rest)
  }
  if ((await apt('update')) !== 0) return
  for (const name of packages) {
    if ((await apt('install', '-y', '--no-install-recommends', name)) === 0) return
  }
}
