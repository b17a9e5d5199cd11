import type { z } from 'zod/mini'
import type { DeskRole } from './desk-roles.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The schema of a JSON response, `nothing` for an empty body, or `bytes` for an image. */
export type ResponseBody = z.ZodMiniType | 'nothing' | 'bytes'

/** The encoding of a request body. `form` is application/x-www-form-urlencoded. */
export type Encoding = 'json' | 'form' | 'multipart' | 'multipart or json'

/**
 * Describes an operation of the API for the server's routes, the client's calls and the OpenAPI document. `path` is relative to the
 * API's base, with `{name}` for parameters. `file` names the file field of a multipart body. The file is optional in the
 * schema; a route may require it.
 */
export interface Endpoint {
  readonly method: Method
  readonly path: `/${string}`
  readonly summary: string
  /**
   * `anyone`: the caller does not matter. `optional`: guests may call it, and members are recognized by their token or, for `<img>`
   * elements, by the login cookie. `moderator` and `operator`: members with this role (an operator is a moderator too); others get 404.
   */
  readonly auth: 'anyone' | 'optional' | 'member' | DeskRole
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  readonly encoding?: Encoding
  readonly file?: string
  /** The 404 message for a path whose object the caller may not see. */
  readonly notFound?: string
  readonly response: { readonly [status: number]: ResponseBody }
}

/** Returns the definition with the types of its literals. */
export function endpoint<const Definition extends Endpoint>(definition: Definition): Definition {
  return definition
}

type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined

/** The input of a call with the parts that the endpoint has. */
export type CallInput<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'body' as Part extends keyof E ? Part : never]: Input<E[Part & keyof E]>
} & (E extends { file: string } ? { file?: Blob | undefined } : unknown)

type ResponseValue<Body> = Body extends z.ZodMiniType
  ? z.output<Body>
  : Body extends 'bytes'
    ? Blob
    : undefined

/** The body of a successful response. */
export type CallOutput<E extends Endpoint> = ResponseValue<E['response'][keyof E['response']]>
