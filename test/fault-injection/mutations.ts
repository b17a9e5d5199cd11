/** A bug for mutation testing: replaces a text of a file. */
interface Mutation {
  readonly file: string
  readonly text: string
  readonly bug: string
}

/** Realistic bugs that the fault-injection test must detect. */
export const mutations = {
  /** Messages are acknowledged and published before the commit. */
  'ack-before-commit': {
    file: 'server/features/messages/sending.ts',
    text: 'const rows = await insertMessages(db, drafts)',
    bug: `const { promise, resolve, reject } = Promise.withResolvers()
      db.transaction().execute(async (tx) => {
        resolve(await insertMessages(tx, drafts))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }).catch(reject)
      const rows = await promise`,
  },
  /** Every attempt stores another message. */
  'ignore-client-id': {
    file: 'server/features/messages/sending.ts',
    text: 'client_id: client_id?.toLowerCase() ?? randomUUID()',
    bug: 'client_id: randomUUID()',
  },
  /** Of two concurrent texts with one client_id both are acknowledged and published, but one is stored. */
  'ack-unstored': {
    file: 'server/features/messages/queries.ts',
    text: `select sent.verdict, stored.id, stored.content, stored.created_at
  from sent left join stored
    on sent.is_first and stored`,
    bug: `select sent.verdict, stored.id, sent.content, stored.created_at
  from sent left join stored
    on stored`,
  },
  /** Resync starts after the last received message, although earlier ones may be missing. */
  'skipping-cursor': {
    file: 'web/features/messages/message-queries.ts',
    text: 'let heldTo = known(client, otherId)?.heldTo',
    bug: 'let heldTo = known(client, otherId)?.messages.at(-1)?.id',
  },
  /** The outbox loses unsent messages on a reload. */
  'forgetful-outbox': {
    file: 'web/features/messages/outbox.ts',
    text: 'readDraft(login, storageKey, storedMessages) ?? []',
    bug: '[]',
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
