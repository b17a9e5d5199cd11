import { testEndedSessions, writes } from './ended-sessions.ts'

// `npm run test:hostile -- ended-sessions` tests all rows.
const firstOfEndpoint = writes.filter(
  ([, { endpoint }], index) => writes.findIndex(([, row]) => row.endpoint === endpoint) === index,
)
await testEndedSessions(firstOfEndpoint)
