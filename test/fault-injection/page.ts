import { Worker } from 'node:worker_threads'
import type { Unsent } from '#web/features/messages/unsent-messages.ts'
import { turns } from './turns.ts'

/** The set-up of a page. */
export interface PageSetup {
  readonly url: string
  /** As the browser has kept it. */
  readonly storage: ReadonlyMap<string, string>
  readonly otherId: number
  /** Whether what is shown is read at once. */
  readonly reads: boolean
}

export type Order =
  | { readonly do: 'open' }
  | { readonly do: 'write'; readonly content: string }
  | { readonly do: 'look' }

/** The content of a page. */
export interface Shown {
  readonly messages: readonly ShownMessage[]
  /** The number of the badge; undefined when the request failed. */
  readonly unread: number | undefined
  /** Connected, and waiting for nothing. */
  readonly quiet: boolean
}

interface ShownMessage {
  readonly id: number
  readonly sender_id: number
  readonly content: string
}

type Said =
  | { readonly kept: readonly [key: string, value: string | undefined] }
  | { readonly complaint: string }
  | { readonly seen: Shown }
  | { readonly ready: true }

/** The written messages, in order. */
export interface Written {
  readonly content: string
  /** Whether the page has let go of it, so that it is only in the server's hands. */
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
  readonly complain: (complaint: string) => void
}

const startPatienceMs = 20_000
const lookPatienceMs = 5000

/** A member's browser: a page that can be reloaded at any moment, and the storage that stays. */
export async function openPage({ person, otherId, url, reads, flags, complain }: PageOptions) {
  const login = { token: person.token, user: person, expiresAt: Date.now() + 1e9 }
  const storage = new Map([['auth', JSON.stringify(login)]])
  const outbox = `draft:${person.id}:outbox`
  const written = new Map<string, Written>()
  let looks: ((seen: Shown) => void)[] = []
  const inTurn = turns()
  let stands = Promise.withResolvers<void>()
  let worker = await load()

  async function load(): Promise<Worker> {
    stands = Promise.withResolvers()
    const page = new Worker(new URL('./browser.ts', import.meta.url), {
      workerData: { url, storage, otherId, reads } satisfies PageSetup,
      execArgv: [...flags],
      stderr: true,
    })
    page.on('message', (said: Said) => hear(said))
    page.on('error', (error) => complain(`page broke: ${error.stack}`))
    const late = setTimeout(() => stands.reject(new Error('A page does not load')), startPatienceMs)
    await stands.promise.finally(() => clearTimeout(late))
    return page
  }

  function hear(said: Said) {
    if ('kept' in said) keep(...said.kept)
    else if ('complaint' in said) complain(said.complaint)
    else if ('ready' in said) stands.resolve()
    else {
      for (const resolve of looks) resolve(said.seen)
      looks = []
    }
  }

  function keep(key: string, value: string | undefined) {
    if (value === undefined) storage.delete(key)
    else storage.set(key, value)
    if (key === 'auth' && value === undefined) complain('was logged out')
    if (key === outbox) follow(JSON.parse(value ?? '[]'))
  }

  function follow(unsent: readonly Unsent[]) {
    for (const { client_id, content, refusal } of unsent) {
      if (!written.has(client_id)) written.set(client_id, { content, acknowledged: false })
      if (refusal !== undefined) complain(`was refused "${content}": ${refusal}`)
    }
    const waiting = new Set(unsent.map(({ client_id }) => client_id))
    for (const [client_id, one] of written) if (!waiting.has(client_id)) one.acknowledged = true
  }

  function order(what: Order) {
    worker.postMessage(what)
  }

  return {
    person,
    open: () => order({ do: 'open' }),
    write: (content: string) => order({ do: 'write', content }),
    /** Returns the messages written in this round. */
    written: () => [...written.values()],
    forgetWritten: () => written.clear(),
    waiting: () => [...written.values()].filter(({ acknowledged }) => !acknowledged).length,
    reload: () =>
      inTurn(async () => {
        await worker.terminate()
        worker = await load()
        order({ do: 'open' })
      }),
    /** Undefined when the page does not answer. */
    look(): Promise<Shown | undefined> {
      const { promise, resolve } = Promise.withResolvers<Shown | undefined>()
      looks.push(resolve)
      setTimeout(resolve, lookPatienceMs, undefined).unref()
      order({ do: 'look' })
      return promise
    },
    [Symbol.asyncDispose]: () => inTurn(async () => void (await worker.terminate())),
  }
}

export type Page = Awaited<ReturnType<typeof openPage>>
