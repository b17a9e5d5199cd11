import pg from 'pg'
import { vi } from 'vitest'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Under which it is prepared. */
  readonly name: string | undefined
}

/** Writes down what the pools of all nodes send to PostgreSQL, from now until it is disposed of. */
export function recordStatements() {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  return {
    sent(): Statement[] {
      return query.mock.calls.flatMap(([given, values]: unknown[], index) =>
        isOfPool(query.mock.contexts[index]) ? [statementOf(given, values)] : [],
      )
    },
    [Symbol.dispose]: () => query.mockRestore(),
  }
}

/** The queue, the listener and the tests have connections of their own, under other names. */
function isOfPool(client: unknown): boolean {
  const { connectionParameters } = client as { connectionParameters: { application_name?: string } }
  return connectionParameters.application_name === 'rhubarb'
}

function statementOf(given: unknown, values: unknown): Statement {
  if (typeof given === 'string')
    return { text: given, values: Array.isArray(values) ? values : [], name: undefined }
  const { text = '', values: inside = [], name } = given as Partial<Statement>
  return { text, values: inside, name }
}
