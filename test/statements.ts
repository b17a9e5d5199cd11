import pg from 'pg'
import { vi } from 'vitest'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** The name of the prepared statement. */
  readonly name: string | undefined
  /** The port of the server. */
  readonly port: number
}

/** Records the statements that the connection pools of all nodes send until it is disposed. */
export function recordStatements() {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  return {
    sent(): Statement[] {
      return query.mock.calls.flatMap(([given, values]: unknown[], index) => {
        const client: unknown = query.mock.contexts[index]
        return isOfPool(client) ? [{ ...statementOf(given, values), port: client.port }] : []
      })
    },
    [Symbol.dispose]: () => query.mockRestore(),
  }
}

/** Returns whether a connection belongs to a pool. The job queue, the listener and the tests use other application names. */
function isOfPool(client: unknown): client is pg.Client {
  const { connectionParameters } = client as { connectionParameters: { application_name?: string } }
  return connectionParameters.application_name === 'rhubarb'
}

function statementOf(given: unknown, values: unknown): Omit<Statement, 'port'> {
  if (typeof given === 'string')
    return { text: given, values: Array.isArray(values) ? values : [], name: undefined }
  const { text = '', values: inside = [], name } = given as Partial<Statement>
  return { text, values: inside, name }
}
