// Finds Chromium for the browser tests, or installs it with apt or Playwright.
import { existsSync } from 'node:fs'
import { findProgram, installFromApt } from './programs.mjs'
import { environment, run, ScriptError } from './setup.mjs'

/** Debian's headless Chromium, which needs half the processor time. */
const headlessShell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Includes Playwright's own features (1.65.1, `chromiumSwitches`), because only the last `--disable-features` counts. */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // A process for the next page, started in advance.
  'SpareRendererForSitePerProcess',
  // Chromium 156 loads three pages for its address bar with every window, for twice the processor time of a test.
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
].join(',')

/**
 * V8's flags. With developer tools attached, V8 parses React again for the position of each error that React creates when it loads,
 * unless it stores all positions.
 */
export const scriptFlags = '--js-flags=--no-enable-lazy-source-positions'

/** Arguments that turn off what Chromium does besides showing pages: background pages, updates and calls of its own. */
export const browserArgs = [
  // Chromium's sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  `--disable-features=${disabledFeatures}`,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  scriptFlags,
]

/** @returns {Promise<string>} the path of a Chromium, which is installed if it is missing */
export async function findBrowser() {
  const found = configuredPath() ?? findProgram(headlessShell) ?? (await fromPlaywright())
  if (found) return found

  if (findProgram('apt-get')) {
    console.log('Installing headless Chromium for the browser tests.')
    await installFromApt(headlessShell)
  }
  const fromApt = findProgram(headlessShell) ?? findInstalled()
  if (fromApt) return fromApt

  console.log('Installing Chromium for the browser tests.')
  await installFromApt('chromium')
  await run('playwright', ['install', 'chromium']).catch(() => 1)
  const path = findInstalled() ?? (await fromPlaywright())
  if (path) return path
  throw new ScriptError('The browser tests need Chromium. Install it, or set CHROMIUM_PATH to its path.')
}

/** @returns {string | undefined} */
function configuredPath() {
  const path = environment.CHROMIUM_PATH
  if (path && !existsSync(path)) throw new ScriptError(`CHROMIUM_PATH is ${path}, but there is no such file.`)
  return path
}

/** @returns {string | undefined} */
function findInstalled() {
  return (
    names.map(findProgram).find((path) => path !== undefined) ?? macPaths.find((path) => existsSync(path))
  )
}

/** @returns {Promise<string | undefined>} */
async function fromPlaywright() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
