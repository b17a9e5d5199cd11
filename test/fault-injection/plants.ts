/** A bug to be planted: in a file, one text becomes another. */
interface Plant {
  readonly file: string
  readonly text: string
  readonly bug: string
}

/** Bugs that the fault test has to find, each one that a programmer might write. */
export const plants = {
  /** The answer, and the word to the receiver, leave while the commit is still on its way to the disk. */
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
  /** Every try is a message of its own. */
  'ignore-client-id': {
    file: 'server/features/messages/sending.ts',
    text: 'client_id: client_id?.toLowerCase() ?? randomUUID()',
    bug: 'client_id: randomUUID()',
  },
  /** Of two texts under one client_id in one group both are acknowledged and told, and one is stored. */
  'ack-unstored': {
    file: 'server/features/messages/queries.ts',
    text: `select sent.verdict, stored.id, stored.content, stored.created_at
  from sent left join stored
    on sent.is_first and stored`,
    bug: `select sent.verdict, stored.id, sent.content, stored.created_at
  from sent left join stored
    on stored`,
  },
  /** Catching up begins at the last message that was heard, though one before it may not have been. */
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
} as const satisfies Record<string, Plant>

export type PlantName = keyof typeof plants

export function isPlant(name: string): name is PlantName {
  return name in plants
}

/** Returns the Node flags that load files with the bug. The files on the disk stay unchanged. */
export function flagsOf(name: PlantName): string[] {
  const planting = new URL('./planting.ts', import.meta.url)
  planting.search = name
  return ['--import', planting.href]
}
