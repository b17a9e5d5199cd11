import type { Mutation } from '../apply-edits.ts'

/** Realistic bugs that the fault-injection test must detect. */
export const mutations = {
  /** Messages are acknowledged and published before the commit. */
  'ack-before-commit': {
    file: 'server/features/messages/sending.ts',
    edits: [
      [
        'const rows = await insertMessages(db, drafts)',
        `const { promise, resolve, reject } = Promise.withResolvers()
      db.transaction().execute(async (tx) => {
        resolve(await insertMessages(tx, drafts))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }).catch(reject)
      const rows = await promise`,
      ],
    ],
  },
  /** Every attempt stores another message. */
  'ignore-client-id': {
    file: 'server/features/messages/sending.ts',
    edits: [['client_id: client_id?.toLowerCase() ?? randomUUID()', 'client_id: randomUUID()']],
  },
  /** Acknowledges and publishes two concurrent texts with one client_id, but stores only one. */
  'ack-unstored': {
    file: 'server/features/messages/sending-queries.ts',
    edits: [
      ['select sent.verdict, stored.id, stored.content,', 'select sent.verdict, stored.id, sent.content,'],
      ['on sent.is_first and stored.', 'on stored.'],
    ],
  },
  /** Resync starts after the last received message, although earlier ones may be missing. */
  'skipping-cursor': {
    file: 'web/features/messages/message-queries.ts',
    edits: [
      [
        'let syncedUpTo = cached(client, otherId)?.syncedUpTo',
        'let syncedUpTo = cached(client, otherId)?.messages.at(-1)?.id',
      ],
    ],
  },
  /** The outbox loses unsent messages on a reload. */
  'forgetful-outbox': {
    file: 'web/features/messages/unsent-messages.ts',
    edits: [['readDraft(login, storageKey, readMessages) ?? []', '[]']],
  },
  /** Concurrent messages of a conversation may commit in another order than their ids. Only the failover test detects it. */
  'unlocked-conversations': {
    file: 'server/features/messages/sending-queries.ts',
    edits: [
      [
        'select pg_advisory_xact_lock(conversation) is not null as is_locked from',
        'select conversation from',
      ],
    ],
  },
  /** Says "Something went wrong" while the database is away. */
  'unexpected-errors': {
    file: 'server/platform/http/problem.ts',
    edits: [['if (databaseUnavailable(error))', 'if (false)']],
  },
  /** Listens at the first primary only. Only the failover test detects it. */
  'deaf-listener': {
    file: 'server/platform/events/postgres-events.ts',
    edits: [
      ['const retryMs = 1000', 'const retryMs = 1000\nlet connections = 0'],
      [
        'for (const channel of subscriptions.names) await',
        'connections += 1\n      if (connections === 1) for (const channel of subscriptions.names) await',
      ],
    ],
  },
} as const satisfies Record<string, Mutation>

export type MutationName = keyof typeof mutations

export function isMutation(name: string): name is MutationName {
  return name in mutations
}

/** Returns the Node flags that apply the mutation when files are loaded. The files on disk stay unchanged. */
export function flagsOf(name: MutationName): string[] {
  const hook = new URL('./apply-mutation.ts', import.meta.url)
  hook.search = name
  return ['--import', hook.href]
}
