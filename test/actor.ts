import type { NewMember, Profile } from '#contract/auth.ts'
import { logIn, register } from '#contract/auth.ts'
import { apiBase } from '#contract/constants.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'

export type NewActor = { username: string } & Partial<NewMember>

/** The password of all actors. */
const password = 'plum-crumble-42'

/** Returns the data of the registration form, with defaults from the username. */
export function registrationOf({ username, ...person }: NewActor): NewMember {
  return {
    first_name: username,
    last_name: 'Gardener',
    username,
    email: `${username}@example.com`,
    password,
    ...person,
  }
}

export interface Reply<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** An HTTP client of a guest, or of a member after `join`. */
export class Actor {
  /** The URL of the server. */
  readonly server: string
  token: string | undefined
  profile: Profile | undefined
  readonly password = password

  constructor(server: string) {
    this.server = server
  }

  /** Returns a client with the same login at another server. */
  at(server: string): Actor {
    const other = new Actor(server)
    other.token = this.token
    other.profile = this.profile
    return other
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

  /** Registers and logs in through the API. */
  async join(person: NewActor): Promise<void> {
    const member = registrationOf(person)
    const registered = await this.call(register, { body: member })
    if ('message' in registered) throw new Error(registered.message)
    this.profile = registered
    const { access_token } = await this.call(logIn, {
      body: { username: member.email, password: member.password },
    })
    this.token = access_token
  }

  /** Calls an endpoint and returns its response body. Throws on an error status. */
  async call<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<CallOutput<E>> {
    const reply = await this.try(endpoint, ...input)
    if (reply.status >= 400)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(reply.body)}`)
    return reply.body as CallOutput<E>
  }

  /** Calls an endpoint and returns status, headers and body, also on an error status. */
  async try<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Reply<AnyBody<E>>> {
    return read<AnyBody<E>>(await this.fetch(endpoint, ...input))
  }

  /** Calls an endpoint and returns the response unread. */
  async fetch<E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<Response> {
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
        [value].flat().map((each): [string, string] => [name, String(each)]),
      ),
    )
    const url = `${apiBase}${path}${search.size > 0 ? `?${search}` : ''}`
    return this.#fetch(endpoint.method, url, encodeBody(endpoint, body, file))
  }

  /** Sends any request, for invalid requests too. `path` is from the root. */
  async send<Body = Problem>(method: string, path: string, init: Sent = {}) {
    return read<Body>(await this.#fetch(method, path, init))
  }

  #fetch(method: string, path: string, init: Sent): Promise<Response> {
    return fetch(this.server + path, {
      method,
      redirect: 'manual',
      ...init,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(init.headers as object),
      },
    })
  }

  /** Returns all pages of a list by following its `Link` headers. Calls `between` after each page. */
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

/** Ends lists whose links form a cycle. */
const maxPages = 500

/** Returns the path of the next page from the `Link` header. Throws if the header is malformed. */
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

/** Returns a JSON body of any shape for `send`. */
export function json(body: unknown) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** The body of a response: the endpoint's result or problem details. */
type AnyBody<E extends Endpoint> = [CallOutput<E>] extends [undefined]
  ? Problem
  : CallOutput<E> & Omit<Problem, keyof CallOutput<E>>

export type CallArguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

function encodeBody(endpoint: Endpoint, body: Record<string, unknown> | undefined, file: Blob | undefined) {
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
