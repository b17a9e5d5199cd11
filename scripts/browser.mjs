// A Chromium for the browser tests: one that is here, or else one from the system's packages or from Playwright.
import { existsSync } from 'node:fs'
import { findProgram, installFromApt } from './programs.mjs'
import { environment, run, Unable } from './setup.mjs'

/** Debian's Chromium without a window: the same engine, for half the processor time. */
const shell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macs = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @returns {Promise<string>} the path of a Chromium, installed now if need be */
export async function findBrowser() {
  const found = given() ?? findProgram(shell) ?? (await playwrights())
  if (found) return found

  if (findProgram('apt-get')) {
    console.log('Installing a Chromium without a window for the browser tests.')
    await installFromApt(shell)
  }
  const fromApt = findProgram(shell) ?? installed()
  if (fromApt) return fromApt

  console.log('Installing Chromium for the browser tests.')
  await installFromApt('chromium')
  await run('playwright', ['install', 'chromium']).catch(() => 1)
  const fromPlaywright = installed() ?? (await playwrights())
  if (fromPlaywright) return fromPlaywright
  throw new Unable('The browser tests need Chromium. Install it, or set CHROMIUM_PATH to one.')
}

/** @returns {string | undefined} */
function given() {
  const path = environment.CHROMIUM_PATH
  if (path && !existsSync(path)) throw new Unable(`CHROMIUM_PATH names ${path}, where there is no browser.`)
  return path
}

/** @returns {string | undefined} */
function installed() {
  return names.map(findProgram).find((path) => path !== undefined) ?? macs.find((path) => existsSync(path))
}

/** @returns {Promise<string | undefined>} */
async function playwrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
