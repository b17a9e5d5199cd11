import type { NewMember, Profile } from '#contract/auth.ts'
import { logIn, register } from '#contract/auth.ts'
import { apiBase } from '#contract/constants.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'

export type NewActor = { username: string } & Partial<NewMember>

export interface Reply<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Somebody with a client: a guest, or a member once they have joined. Speaks HTTP only. */
export class Actor {
  /** Where the server is. */
  readonly server: string
  token: string | undefined
  profile: Profile | undefined
  readonly password = 'plum-crumble-42'

  constructor(server: string) {
    this.server = server
  }

  /** The same person with the same login, at another server. */
  at(server: string): Actor {
    const there = new Actor(server)
    there.token = this.token
    there.profile = this.profile
    return there
  }

  get id(): number {
    return this.#joined().id
  }

  get email(): string {
    return this.#joined().email
  }

  get username(): string {
    return this.#joined().username
  }

  #joined(): Profile {
    if (!this.profile) throw new Error('This actor has not joined')
    return this.profile
  }

  async join({ username, ...person }: NewActor): Promise<void> {
    const member = {
      first_name: username,
      last_name: 'Gardener',
      username,
      email: `${username}@example.com`,
      password: this.password,
      ...person,
    }
    this.profile = await this.call(register, { body: member })
    const { access_token } = await this.call(logIn, {
      body: { username: member.email, password: member.password },
    })
    this.token = access_token
  }

  /** Calls an endpoint that is expected to go well, as its typed client does. */
  async call<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<CallOutput<E>> {
    const reply = await this.try(endpoint, ...input)
    if (reply.status >= 400)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(reply.body)}`)
    return reply.body as CallOutput<E>
  }

  /** Calls an endpoint, and tells what came back, good or bad. */
  async try<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Reply<AnyBody<E>>> {
    return read<AnyBody<E>>(await this.ask(endpoint, ...input))
  }

  /** Calls an endpoint, and hands out what came back as it came. */
  async ask<E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<Response> {
    const {
      params = {},
      query = {},
      body,
      file,
    } = (input ?? {}) as {
      params?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: Record<string, unknown>
      file?: Blob
    }
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    )
    const asked = `${apiBase}${path}${search.size > 0 ? `?${search}` : ''}`
    return this.#fetch(endpoint.method, asked, encoded(endpoint, body, file))
  }

  /** Sends anything at all: for what a well-behaved client never does. `path` is from the root. */
  async send<Body = Problem>(method: string, path: string, init: Sent = {}) {
    return read<Body>(await this.#fetch(method, path, init))
  }

  #fetch(method: string, path: string, init: Sent): Promise<Response> {
    return fetch(this.server + path, {
      method,
      ...init,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(init.headers as object),
      },
    })
  }

  /** Follows the `Link` headers of a list from its first page to its end, and does something in between. */
  async pages<Item>(first: string, between = async () => {}): Promise<Item[][]> {
    const all: Item[][] = []
    for (let path: string | undefined = first; path !== undefined; ) {
      const page: Reply<Item[]> = await this.send<Item[]>('GET', path)
      if (page.status !== 200 || all.length === maxPages) throw new Error(`${page.status}: ${path}`)
      all.push(page.body)
      path = nextOf(page)
      await between()
    }
    return all
  }
}

/** More than any list of a test has: a list that leads in a circle is no list without end. */
const maxPages = 500

/** The next page, as the `Link` header names it. Throws when the header is not as the contract has it. */
export function nextOf({ headers }: Pick<Reply<unknown>, 'headers'>): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const [, target] = /^<(\/api\/[^>]+)>; rel="next"$/.exec(link) ?? []
  if (target === undefined) throw new Error(`No next page in ${link}`)
  return target
}

type Sent = Pick<RequestInit, 'body' | 'headers'>

async function read<Body>(response: Response): Promise<Reply<Body>> {
  const type = response.headers.get('content-type') ?? ''
  const body = /json/.test(type) ? await response.json() : await response.blob()
  return { status: response.status, headers: response.headers, body: body as Body }
}

/** A JSON body of any shape, for `send`. */
export function json(body: unknown) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** The body of a response: the answer or problem details. */
type AnyBody<E extends Endpoint> = [CallOutput<E>] extends [undefined]
  ? Problem
  : CallOutput<E> & Omit<Problem, keyof CallOutput<E>>

export type CallArguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

function encoded(endpoint: Endpoint, body: Record<string, unknown> | undefined, file: Blob | undefined) {
  if (body === undefined && file === undefined) return {}
  const multipart =
    endpoint.encoding === 'multipart' || (endpoint.encoding === 'multipart or json' && file !== undefined)
  const texts = Object.entries(body ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  if (endpoint.encoding === 'form') return { body: new URLSearchParams(texts) }
  if (!multipart) return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  for (const [name, text] of texts) form.append(name, text)
  if (file && endpoint.file) form.append(endpoint.file, file, 'photo.jpg')
  return { body: form }
}
