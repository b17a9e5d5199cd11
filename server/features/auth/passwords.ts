import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from '#server/platform/errors.ts'

/** OWASP's minimum for Argon2id, which is this library's algorithm unless told otherwise. One hash costs some 25 ms of a core, off the main thread. */
export const minimumCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** The cost of new hashes. Only tests change it. */
export const passwordCost = { ...minimumCost }

const turn = pLimit(Math.max(2, availableParallelism()))
const maxWaiting = 200

function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (turn.pendingCount >= maxWaiting)
    throw new AppError('unavailable', errorMessages.unavailable, { retryAfter: 5 })
  return turn(work)
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, passwordCost))
}

let decoy: Promise<string> | undefined

/** Whether the password is right. Without a hash (nobody has this e-mail) it takes the same time, and is wrong. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hash('nobody has this password', passwordCost)
  const against = passwordHash ?? (await decoy)
  const right = await inTurn(() => verify(against, password))
  return right && passwordHash !== undefined
}
