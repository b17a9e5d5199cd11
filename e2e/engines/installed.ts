import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram } from '../../scripts/programs.mjs'
import { startChromium } from './chromium.ts'
import type { EngineBrowser, EngineName } from './driver.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const python = '/usr/bin/python3'

/** Returns the packages of Debian that an engine needs and that are missing. */
export function missingPackages(engine: EngineName): string[] {
  if (engine === 'Chromium') return []
  if (engine === 'Firefox') return firefoxPath() === undefined ? ['firefox-esr'] : []
  const programs = { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb', 'dbus-run-session': 'dbus' }
  const missing = Object.entries(programs).flatMap(([name, packaged]) => (findProgram(name) ? [] : packaged))
  return hasBindings() ? missing : [...missing, 'python3-gi', 'gir1.2-webkit2-4.1']
}

/** Starts a browser whose packages are installed. */
export function startEngine(engine: EngineName): Promise<EngineBrowser> {
  if (engine === 'Chromium') return startChromium()
  return engine === 'Firefox' ? startFirefox(firefoxPath() ?? 'firefox') : startWebKit()
}

function firefoxPath(): string | undefined {
  return findProgram('firefox-esr') ?? findProgram('firefox')
}

/** Returns whether Python can open a window of WebKitGTK. */
function hasBindings(): boolean {
  if (!existsSync(python)) return false
  try {
    execFileSync(python, ['-c', 'import gi; gi.require_version("WebKit2", "4.1")'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
