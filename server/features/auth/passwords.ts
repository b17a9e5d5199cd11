import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from '#server/platform/errors.ts'

/** OWASP's minimum for Argon2id, the library's default algorithm. */
export const minimumCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** The cost of new hashes. Only tests change it. */
export const passwordCost = { ...minimumCost }

const limit = pLimit(Math.max(2, availableParallelism()))
const maxWaiting = 200

/** Runs the work when a thread is free. Throws `unavailable` if too many wait. */
function runLimited<Value>(work: () => Promise<Value>): Promise<Value> {
  if (limit.pendingCount >= maxWaiting) throw new AppError('unavailable', errorMessages.unavailable)
  return limit(work)
}

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
