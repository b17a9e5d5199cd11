import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { messageErrorMessages } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findAnswer, findFriendship } from './first-contact-queries.ts'

/** Texts with fewer letters, like “Is it still there?”, are often equal. With a link or an address they count too. */
const minLetters = 40
const link = /https?:|www\.|\S@\S/i

/** The most pairs of members who are known to be no strangers. */
const knownPairs = 20_000

/** The most texts that are known to be counted, and for how long: as long as the limit. */
const countedTexts = 20_000
const countedMs = 24 * 60 * 60 * 1000

/** Throws `equal_texts` if a member has sent the text to too many strangers in a day. */
type CountText = (sender: number, receiver: number, text: string) => Promise<void>

/**
 * Returns the function that limits to how many strangers a member sends the same text in a day. A stranger is no friend and has never
 * written to the sender. Publishes `equal_texts_refused` once a day for a text.
 */
export function equalTextLimit({
  db,
  limits,
  site,
  events,
}: Pick<Deps, 'db' | 'limits' | 'site' | 'events'>): CountText {
  const byText = () =>
    limits('equal texts', {
      attempts: site.current().equal_texts,
      message: messageErrorMessages.equalTexts,
      code: 'equal_texts',
    })
  // A message that is sent again, after its response was lost, counts once.
  const byReceiver = limits('equal text to', { attempts: 1 })
  const published = limits('equal texts published', { attempts: 1 })

  // A running conversation costs no statement, nor does a text that this node has counted for the receiver.
  const known = new LRUCache<string, true>({ max: knownPairs })
  const counted = new LRUCache<string, true>({ max: countedTexts, ttl: countedMs })

  return async (sender, receiver, text) => {
    const compared = known.has(`${sender} ${receiver}`) ? undefined : comparedText(text)
    if (compared === undefined) return
    const key = `${sender} ${createHash('sha256').update(compared).digest('base64url')}`
    const keyOfReceiver = `${key} ${receiver}`
    if (counted.has(keyOfReceiver) || (await areKnown(sender, receiver))) return
    if (!(await byReceiver.isMarked(keyOfReceiver))) {
      await count(sender, text, key)
      await byReceiver.mark(keyOfReceiver)
    }
    counted.set(keyOfReceiver, true)
  }

  async function count(sender: number, text: string, key: string): Promise<void> {
    try {
      await byText().attempt(key)
    } catch (error) {
      if (error instanceof AppError && error.code === 'equal_texts' && !(await published.isMarked(key))) {
        await inTransaction(db, (tx) => events.publish(tx, 'equal_texts_refused', { user_id: sender, text }))
        await published.mark(key)
      }
      throw error
    }
  }

  async function areKnown(sender: number, receiver: number): Promise<boolean> {
    const [low, high] = sender < receiver ? [sender, receiver] : [receiver, sender]
    const answer = await findAnswer(db, low, high, receiver)
    if (!answer && !(await findFriendship(db, sender, receiver))) return false
    known.set(`${sender} ${receiver}`, true)
    return true
  }
}

/** Returns the letters of a text, so that other numbers, signs, accents and spaces do not make another one. Undefined for one that may be equal. */
function comparedText(text: string): string | undefined {
  const letters = text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase()
  return letters.length >= minLetters || link.test(text) ? letters : undefined
}
