// The process that loads the server: takes an order as JSON, prints what it measured as JSON.
import autocannon from 'autocannon'
import { type Sample, sampleOf } from './sample.ts'

export interface LoadOrder {
  readonly url: string
  readonly seconds: number
  /** What the client says it can decompress. */
  readonly accepts: string
  /** What each connection asks for, one path after the other and from the start again. */
  readonly connections: readonly (readonly { readonly path: string; readonly token: string }[])[]
}

async function load({ url, seconds, accepts, connections }: LoadOrder): Promise<Sample> {
  const latencies: number[] = []
  const waiting = [...connections]
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  autocannon(
    {
      url,
      connections: connections.length,
      duration: seconds,
      setupClient: (client) =>
        client.setRequests(
          (waiting.pop() ?? []).map(({ path, token }) => ({
            method: 'GET',
            path,
            headers: { authorization: `Bearer ${token}`, 'accept-encoding': accepts },
          })),
        ),
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  ).on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const result = await promise
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${bad} requests went wrong`)
  return sampleOf(result['2xx'] / result.duration, latencies)
}

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part)
process.stdout.write(JSON.stringify(await load(JSON.parse(Buffer.concat(parts).toString()))))
