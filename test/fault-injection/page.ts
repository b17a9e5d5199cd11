import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { Unsent } from '#web/features/messages/unsent-messages.ts'
import type { Refusal } from './try-again.ts'

/** The worker data of a page. */
export interface PageSetup {
  readonly url: string
  /** The initial content of local storage. */
  readonly storage: ReadonlyMap<string, string>
  readonly otherId: number
  /** True if the page marks shown messages read. */
  readonly reads: boolean
}

export type Command =
  | { readonly type: 'open' }
  | { readonly type: 'write'; readonly content: string }
  | { readonly type: 'readState' }

/** The content of a page. */
export interface PageState {
  readonly messages: readonly ShownMessage[]
  /** The number of the badge; undefined if the request failed. */
  readonly unread: number | undefined
  /** True if the page is connected and has no running requests. */
  readonly quiet: boolean
}

interface ShownMessage {
  readonly id: number
  readonly sender_id: number
  readonly content: string
}

type PageEvent =
  | { readonly stored: readonly [key: string, value: string | undefined] }
  | { readonly violation: string }
  | { readonly refusal: Refusal }
  | { readonly state: PageState }
  | { readonly ready: true }

/** A message that the member has written. */
export interface Written {
  readonly content: string
  /** True if the page has removed the message from its outbox. */
  acknowledged: boolean
}

export interface Person {
  readonly id: number
  readonly username: string
  readonly token: string
}

export interface PageOptions {
  readonly person: Person
  readonly otherId: number
  readonly url: string
  readonly reads: boolean
  readonly flags: readonly string[]
  readonly report: (violation: string) => void
  /** Called for each error that the server acknowledges to the page. */
  readonly refused: (error: Refusal) => void
}

// Generous, so that a busy machine is no failure.
const startTimeoutMs = 120_000
const stateTimeoutMs = 20_000

/** Simulates a member's browser: a page that can be reloaded at any time, and local storage that persists. */
export async function openPage({ person, otherId, url, reads, flags, report, refused }: PageOptions) {
  const login = { token: person.token, user: person, expiresAt: Date.now() + 1e9 }
  const storage = new Map([['auth', JSON.stringify(login)]])
  const outbox = `draft:${person.id}:outbox`
  const written = trackWritten(report)
  let pendingStates: ((state: PageState) => void)[] = []
  const enqueue = pLimit(1)
  let worker = await load()

  async function load(): Promise<Worker> {
    const loaded = Promise.withResolvers<void>()
    const page = new Worker(new URL('./browser.ts', import.meta.url), {
      workerData: { url, storage, otherId, reads } satisfies PageSetup,
      execArgv: ['--import', import.meta.resolve('./english-texts.ts'), ...flags],
      stderr: true,
    })
    page.on('message', (event: PageEvent) => ('ready' in event ? loaded.resolve() : handle(event)))
    page.on('error', (error) => {
      report(`page failed: ${error.stack}`)
      loaded.reject(error)
    })
    const timer = setTimeout(() => loaded.reject(new Error('A page does not load')), startTimeoutMs)
    await loaded.promise.finally(() => clearTimeout(timer))
    return page
  }

  function handle(event: Exclude<PageEvent, { ready: true }>) {
    if ('stored' in event) store(...event.stored)
    else if ('violation' in event) report(event.violation)
    else if ('refusal' in event) refused(event.refusal)
    else {
      for (const resolve of pendingStates) resolve(event.state)
      pendingStates = []
    }
  }

  function store(key: string, value: string | undefined) {
    if (value === undefined) storage.delete(key)
    else storage.set(key, value)
    if (key === 'auth' && value === undefined) report('was logged out')
    if (key === outbox) written.update(JSON.parse(value ?? '[]'))
  }

  function send(command: Command) {
    worker.postMessage(command)
  }

  return {
    person,
    open: () => send({ type: 'open' }),
    write: (content: string) => send({ type: 'write', content }),
    /** Returns the messages written in this round. */
    written: written.list,
    forgetWritten: written.forget,
    /** Returns the number of messages without an acknowledgement. */
    waiting: () => written.list().filter(({ acknowledged }) => !acknowledged).length,
    reload: () =>
      enqueue(async () => {
        await worker.terminate()
        worker = await load()
        send({ type: 'open' })
      }),
    /** Returns undefined if the page does not answer. */
    readState(): Promise<PageState | undefined> {
      const { promise, resolve } = Promise.withResolvers<PageState | undefined>()
      pendingStates.push(resolve)
      setTimeout(resolve, stateTimeoutMs, undefined).unref()
      send({ type: 'readState' })
      return promise
    },
    [Symbol.asyncDispose]: () => enqueue(async () => void (await worker.terminate())),
  }
}

export type Page = Awaited<ReturnType<typeof openPage>>

/** Follows the messages in the outbox of a page. A message that has left it is acknowledged. */
function trackWritten(report: (violation: string) => void) {
  const written = new Map<string, Written>()
  return {
    update(unsent: readonly Unsent[]) {
      for (const { client_id, content, refusal } of unsent) {
        if (!written.has(client_id)) written.set(client_id, { content, acknowledged: false })
        if (refusal !== undefined) report(`was refused "${content}": ${refusal}`)
      }
      const waiting = new Set(unsent.map(({ client_id }) => client_id))
      for (const [client_id, message] of written) if (!waiting.has(client_id)) message.acknowledged = true
    },
    list: () => [...written.values()],
    forget: () => written.clear(),
  }
}
