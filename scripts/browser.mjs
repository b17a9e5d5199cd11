// A Chromium for the browser tests: one that is here, or else one from the system's packages or from Playwright.
import { existsSync } from 'node:fs'
import { findProgram, installFromApt } from './programs.mjs'
import { environment, run, Unable } from './setup.mjs'

/** Debian's Chromium without a window comes first: the same engine, and the tests take half the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const macs = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @returns {Promise<string>} the path of a Chromium, installed now if need be */
export async function findBrowser() {
  const found = installed() ?? (await playwrights())
  if (found) return found

  console.log('Installing Chromium for the browser tests.')
  await installFromApt('chromium-headless-shell', 'chromium')
  const fromApt = installed()
  if (fromApt) return fromApt

  await run('playwright', ['install', 'chromium']).catch(() => 1)
  const fromPlaywright = await playwrights()
  if (fromPlaywright) return fromPlaywright
  throw new Unable('The browser tests need Chromium. Install it, or set CHROMIUM_PATH to one.')
}

/** @returns {string | undefined} */
function installed() {
  const given = environment.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return given
    throw new Unable(`CHROMIUM_PATH names ${given}, where there is no browser.`)
  }
  return names.map(findProgram).find((path) => path !== undefined) ?? macs.find((path) => existsSync(path))
}

/** @returns {Promise<string | undefined>} */
async function playwrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
