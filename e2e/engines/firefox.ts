import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  clickActions,
  commandMs,
  type Driver,
  type EngineBrowser,
  keyActions,
  keys,
  reportViolations,
  windowSize,
} from './driver.ts'

/** Turns off what Firefox does besides showing pages. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.startup.page': 0,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.events.testing.asyncClipboard': true,
  'extensions.getAddons.cache.enabled': false,
  'intl.accept_languages': 'en-US',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
}

/**
 * The message of Firefox about an answer of the service worker that was not read to its end, also of a script that is still loading when
 * the page is left. Unlike the message, the error of the request tells the two apart.
 */
const unreadAnswer =
  /Failed to load .*\/assets\/.*ServiceWorker intercepted the request and encountered an unexpected error/
const abortedError = 'NS_BINDING_ABORTED'

/** Starts Firefox. Speaks its WebDriver BiDi, because this version of Playwright sends a command that Firefox ESR does not know. */
export async function startFirefox(path: string): Promise<EngineBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'rhubarb-firefox-'))
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(profile, 'user.js'), lines.join(''))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const browser = spawn(path, args, {
    // biome-ignore lint/style/noProcessEnv: the browser gets the environment of the tests
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const session = await connect(await addressIn(browser))
  await session.send('session.new', { capabilities: {} })
  await session.send('session.subscribe', { events: ['log.entryAdded', 'network.fetchError'] })
  return {
    open: () => openPage(session),
    async close() {
      session.close()
      if (browser.exitCode === null) {
        browser.kill()
        await once(browser, 'exit')
      }
      await rm(profile, { recursive: true, force: true })
    },
  }
}

async function addressIn({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Firefox has no stderr')
  for await (const line of createInterface(stderr)) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    // Reading on keeps the pipe from filling up.
    stderr.resume()
    if (address !== undefined) return `${address}/session`
  }
  throw new Error('Firefox did not start')
}

async function openPage(session: Session): Promise<Driver> {
  const { userContext } = await session.send('browser.createUserContext', {})
  const { context } = await session.send('browsingContext.create', { type: 'tab', userContext })
  await session.send('browsingContext.setViewport', { context, viewport: windowSize })
  await session.send('script.addPreloadScript', {
    functionDeclaration: reportViolations,
    contexts: [context],
  })
  const faults: string[] = []
  session.onLog = ({ level, text, source, stackTrace }) => {
    const [frame] = stackTrace?.callFrames ?? []
    const isFault = level === 'error' || level === 'warn'
    if (isFault && source.context === context && !unreadAnswer.test(text ?? ''))
      faults.push(`${level}: ${text} ${frame?.url ?? ''}`)
  }
  session.onFailedRequest = ({ context: from, errorText, request }) => {
    if (from === context && errorText !== abortedError) faults.push(`${errorText}: ${request.url}`)
  }
  const act = (actions: object[]) => session.send('input.performActions', { context, actions })
  return {
    async goto(url) {
      await session.send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(source, args) {
      const { result, exceptionDetails } = await session.send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${source})(...${JSON.stringify(args)})))()`,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return typeof result.value === 'string' ? JSON.parse(result.value) : undefined
    },
    clickAt: (x, y) => act(clickActions(x, y)),
    type: (text) => act(keyActions(text)),
    press: (key) => act(keyActions(keys[key])),
    async chooseFiles(selector, files) {
      const { result: element } = await session.send('script.evaluate', {
        expression: `document.querySelector(${JSON.stringify(selector)})`,
        target: { context },
        awaitPromise: false,
      })
      await session.send('input.setFiles', { context, element: { sharedId: element.sharedId }, files })
    },
    back: () => session.send('browsingContext.traverseHistory', { context, delta: -1 }),
    async screenshot() {
      const { data } = await session.send('browsingContext.captureScreenshot', { context })
      return Buffer.from(data, 'base64')
    },
    takeFaults: () => faults.splice(0),
    close: () => session.send('browser.removeUserContext', { userContext }),
  }
}

interface LogEntry {
  readonly level: string
  readonly text: string | null
  readonly source: { readonly context?: string }
  readonly stackTrace?: { readonly callFrames: readonly { readonly url: string }[] }
}

interface FailedRequest {
  readonly context: string | null
  readonly errorText: string
  readonly request: { readonly url: string }
}

interface Session {
  // biome-ignore lint/suspicious/noExplicitAny: the results of the protocol are checked by their use in the tests
  send(method: string, params: object): Promise<any>
  onLog: (entry: LogEntry) => void
  onFailedRequest: (failed: FailedRequest) => void
  close(): void
}

async function connect(address: string): Promise<Session> {
  const socket = new WebSocket(address)
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  const session: Session = {
    onLog: () => undefined,
    onFailedRequest: () => undefined,
    async send(method, params) {
      last += 1
      const id = last
      const reply = Promise.withResolvers<unknown>()
      pending.set(id, reply)
      const timer = setTimeout(() => reply.reject(new Error(`Firefox hangs in ${method}`)), commandMs)
      socket.send(JSON.stringify({ id, method, params }))
      return reply.promise.finally(() => clearTimeout(timer))
    },
    close: () => socket.close(),
  }
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data))
    if (message.type === 'event') {
      if (message.method === 'log.entryAdded') session.onLog(message.params)
      if (message.method === 'network.fetchError') session.onFailedRequest(message.params)
      return
    }
    const reply = pending.get(message.id)
    pending.delete(message.id)
    if (message.type === 'success') reply?.resolve(message.result)
    else reply?.reject(new Error(`Firefox: ${message.error}: ${message.message}`))
  })
  await once(socket, 'open')
  return session
}
