import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createQueue } from '#server/platform/queue.ts'

/** OWASP's minimum for Argon2id, the library's default algorithm. */
export const minimumCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** The cost of new hashes. Only tests change it. */
export const passwordCost = { ...minimumCost }

const runLimited = createQueue({ concurrency: Math.max(2, availableParallelism()), maxWaiting: 200 })

/** Returns an Argon2id hash with its salt and cost. Throws `unavailable` if too many hashes are waiting. */
export function hashPassword(password: string): Promise<string> {
  return runLimited(() => hash(password, passwordCost))
}

let dummyHash: Promise<string> | undefined

/**
 * Returns whether the password is right. Without a hash (the e-mail is unknown) it takes the same time and returns false. Throws
 * `unavailable` if too many hashes are waiting.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hash('an unused password', passwordCost)
  const expected = passwordHash ?? (await dummyHash)
  const isRight = await runLimited(() => verify(expected, password))
  return isRight && passwordHash !== undefined
}
