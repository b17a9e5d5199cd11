import { LRUCache } from 'lru-cache'
import { messageErrorMessages } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { requireNoPause } from '#server/features/auth/pauses.ts'
import { equalTextLimit } from './equal-texts.ts'
import { findContact } from './first-contact-queries.ts'
import { findThread } from './queries.ts'

/** How long the limit of a new member applies. */
const newMemberMs = 7 * 24 * 60 * 60 * 1000

/** The most pairs of members who are known to have a conversation, or whose first message has counted. */
const knownPairs = 20_000

/**
 * Counts a first message between two members who are not friends. Throws `contacts_used` or `contacts_unconfirmed` if the
 * sender has written to too many strangers in a day, `paused` if the desk has paused them, and `equal_texts` if too many have got this
 * text. Answers and messages to friends do not count.
 */
export type CountFirstContact = (sender: number, receiver: number, text: string) => Promise<void>

/** Returns the function that limits how many strangers a member writes to first in a day, and to how many the same. */
export function firstContactLimit({
  db,
  limits,
  site,
  ...deps
}: Pick<Deps, 'db' | 'limits' | 'site' | 'events'>): CountFirstContact {
  const countText = equalTextLimit({ db, limits, site, ...deps })
  // The promise of a pair is shared, so that concurrent messages of a conversation count once and keep their order.
  const known = new LRUCache<string, true>({
    max: knownPairs,
    async fetchMethod(pair) {
      const [sender = 0, receiver = 0] = pair.split(' ').map(Number)
      return (await count(sender, receiver)) ? true : undefined
    },
  })

  // A first message that was refused for another reason counts once, but makes no conversation.
  const counted = new LRUCache<string, true>({ max: knownPairs })

  /** Counts a contact if it is the first one to a stranger. Returns whether the pair has a conversation. */
  async function count(sender: number, receiver: number): Promise<boolean> {
    if (await findThread(db, sender, receiver)) return true
    const contact = await findContact(db, sender, receiver)
    if (!contact || contact.are_friends) return false
    await requireNoPause(db, sender)
    const pair = `${sender} ${receiver}`
    if (counted.has(pair)) return false
    const {
      first_contacts_unconfirmed: unconfirmed,
      first_contacts_first_week: firstWeek,
      first_contacts_later: later,
    } = site.current()
    const isNew = Date.now() - Date.parse(contact.created_at) < newMemberMs
    const most = isNew ? firstWeek : later + contact.ties
    const [attempts, code, message] = contact.is_confirmed
      ? ([most, 'contacts_used', messageErrorMessages.tooManyFirstContacts] as const)
      : ([
          Math.min(unconfirmed, most),
          'contacts_unconfirmed',
          messageErrorMessages.confirmToContact,
        ] as const)
    await limits('first contacts', { attempts, message, code }).attempt(String(sender))
    counted.set(pair, true)
    return false
  }

  return async (sender, receiver, text) => {
    await countText(sender, receiver, text)
    await known.fetch(`${sender} ${receiver}`)
  }
}
