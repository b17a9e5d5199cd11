import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'
import {
  clickActions,
  commandMs,
  type Driver,
  type EngineBrowser,
  keyActions,
  keys,
  windowSize,
} from './driver.ts'

const browser = join(import.meta.dirname, 'webkit-window.py')
/** The name of an element in WebDriver's answers. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
/** Notes of WebKit about parts of the page that it does not know. */
const notes = /directive 'manifest-src'|key "interactive-widget"/

/** Starts WebKitWebDriver with a display and a session bus of its own. It serves one page at a time. */
export async function startWebKit(): Promise<EngineBrowser> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await once(screen.stdio[3] as Readable, 'data')
  const port = await freePort()
  const home = await mkdtemp(join(tmpdir(), 'rhubarb-webkit-'))
  const driver = spawn(
    'dbus-run-session',
    ['--', 'WebKitWebDriver', '--host=127.0.0.1', '-p', String(port)],
    {
      // Its own group, so that the driver ends with the bus.
      detached: true,
      env: {
        // biome-ignore lint/style/noProcessEnv: the browser gets the environment of the tests
        ...process.env,
        DISPLAY: `:${String(number).trim()}`,
        HOME: home,
        NO_AT_BRIDGE: '1',
        // Its sandbox does not work for root.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const faults: string[] = []
  createInterface(driver.stdout).on('line', (line) => {
    if (/CONSOLE .*\b(?:ERROR|WARN)/.test(line) && !notes.test(line)) faults.push(line)
  })
  const send = sender(`http://127.0.0.1:${port}`)
  for (const deadline = Date.now() + commandMs; ; await sleep(50)) {
    const isReady = await send('GET', '/status').then(
      () => true,
      () => false,
    )
    if (isReady) break
    if (Date.now() > deadline) throw new Error('WebKitWebDriver did not start')
  }
  return {
    open: async () => openPage(send, await mkdtemp(join(home, 'profile-')), faults),
    async close() {
      if (driver.pid !== undefined) process.kill(-driver.pid)
      screen.kill()
      await once(screen, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function openPage(send: Send, profile: string, faults: string[]): Promise<Driver> {
  const args = [String(windowSize.width), String(windowSize.height), profile]
  const { sessionId } = await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args } } },
  })
  faults.length = 0
  const to = (method: string, path: string, body?: object) =>
    send(method, `/session/${sessionId}${path}`, body)
  const act = (actions: object[]) => to('POST', '/actions', { actions })
  return {
    goto: (url) => to('POST', '/url', { url }),
    async evaluate(source, args) {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve((${source})(...arguments[0])).then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = await to('POST', '/execute/async', { script, args: [args] })
      if (error !== undefined) throw new Error(error)
      return value
    },
    clickAt: (x, y) => act(clickActions(x, y)),
    type: (text) => act(keyActions(text)),
    press: (key) => act(keyActions(keys[key])),
    async chooseFiles(selector, paths) {
      const element = await to('POST', '/element', { using: 'css selector', value: selector })
      await to('POST', `/element/${element[elementKey]}/value`, { text: paths.join('\n') })
    },
    back: () => to('POST', '/back', {}),
    screenshot: async () => Buffer.from(await to('GET', '/screenshot'), 'base64'),
    takeFaults: () => faults.splice(0),
    close: () => to('DELETE', ''),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the results of the protocol are checked by their use in the tests
type Send = (method: string, path: string, body?: object) => Promise<any>

/** Returns a function that sends a command of WebDriver Classic. */
function sender(url: string): Send {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: AbortSignal.timeout(commandMs),
    })
    const { value } = (await response.json()) as { value: { error?: string; message?: string } }
    if (!response.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`)
    return value
  }
}
