import { testEndedSessions, writes } from './ended-sessions.ts'

await testEndedSessions(writes)
