import type { Offered } from './extract-offer.ts'
import type { Target } from './extract-want.ts'
import { keyOf } from './words.ts'

type MatchKind = 'same' | 'synonym' | 'cultivar' | 'kind' | 'group' | 'words'

export interface Match {
  /** A sentence without its full stop: "courgette is another name for zucchini". */
  readonly reason: string
  readonly kind: MatchKind
}

/** How reasons end that speak to who wants, and how the same is said to who has it. */
const listed = { interested: 'is on your list', owner: 'is on their list' }
const open = {
  interested: 'is one of the things you are open to',
  owner: 'is one of the things they are open to',
}

/** Why a listing that offers this fits a want for that, in a gardener's words, said to who wants it. */
export function explain(target: Target, offered: Offered | undefined): Match {
  if (!offered) return { kind: 'words', reason: `${target.name} ${listed.interested}` }
  const { concept, name } = offered
  const wanted = target.concept
  if (!wanted) return { kind: 'group', reason: `${name} ${open.interested}` }
  if (wanted === concept) {
    if (keyOf(name) === keyOf(target.name)) return { kind: 'same', reason: `${name} ${listed.interested}` }
    return { kind: 'synonym', reason: `${name} is another name for ${target.name}` }
  }
  const kind = wanted.kind === 'group' ? 'group' : concept.kind === 'cultivar' ? 'cultivar' : 'kind'
  const wide = wanted.kind === 'group' ? wanted.name : target.name
  return { kind, reason: `${name} is ${article(wide)} ${wide}` }
}

/** The same reason, said to who has it. */
export function explainToOwner(reason: string): string {
  const ending = [listed, open].find(({ interested }) => reason.endsWith(interested))
  return ending ? `${reason.slice(0, -ending.interested.length)}${ending.owner}` : reason
}

function article(name: string): string {
  return /^(?:[aeio]|u(?!ni|s))/i.test(name) ? 'an' : 'a'
}
