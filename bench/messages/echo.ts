// The realtime server of the product without a database: sends each message to both sides at once.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localBus } from '#server/platform/events/event-bus.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createRealtime } from '#server/platform/realtime/realtime.ts'
import { noTokenBuckets } from '#server/platform/token-buckets.ts'

let messages = 0
const realtime = createRealtime({
  // A token starts with the id of its member.
  logins: {
    runInSession: (_session, work) => work(),
    find: async (token) => ({
      id: Number(token.split('.')[0]),
      session: createHash('sha256').update(token).digest(),
    }),
    listEnded: async () => [],
    onEnded: () => {},
  },
  bus: localBus,
  log: createLog('warn'),
  metrics: createMetrics(),
  origin: undefined,
  tokenBuckets: noTokenBuckets,
})
realtime.handle('send_message', async ({ id }, { receiver_id, content, client_id = '' }) => {
  messages += 1
  const created_at = new Date().toISOString()
  const stored = { id: messages, sender_id: id, receiver_id, content, created_at, is_read: false, client_id }
  const message = { ...stored, listing: null, trade_id: null, images: [] }
  realtime.publish([id, receiver_id], 'new_message', message)
  return { message }
})
const http = createServer()
realtime.start(http)
http.listen(0, '127.0.0.1', () => {
  const { port } = http.address() as AddressInfo
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
