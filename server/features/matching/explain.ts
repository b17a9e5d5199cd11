import type { MatchedTarget } from './match.ts'
import { singular } from './plurals.ts'
import { editDistance } from './spelling-index.ts'
import { wordsOf } from './tokenize.ts'
import { keyOf } from './words.ts'

type MatchKind = 'same' | 'synonym' | 'cultivar' | 'kind' | 'group' | 'words'

export interface Match {
  /** A sentence without its full stop: "courgette is another name for zucchini". */
  readonly reason: string
  readonly kind: MatchKind
}

/** The endings of reasons for the owner of the want, with those for the owner of the listing. */
const listed = { interested: 'is on your list', owner: 'is on their list' }
const open = {
  interested: 'is one of the things you are open to',
  owner: 'is one of the things they are open to',
}

/** Returns the reason of a match in plain words for the owner of the want. */
export function explain({ target, offered }: MatchedTarget): Match {
  if (!offered) return { kind: 'words', reason: `${target.name} ${listed.interested}` }
  const { concept, name } = offered
  const wanted = target.concept
  if (!wanted) return { kind: 'group', reason: `${name} ${open.interested}` }
  if (wanted === concept) {
    if (isSameName(name, target.name)) return { kind: 'same', reason: `${target.name} ${listed.interested}` }
    return { kind: 'synonym', reason: `${name} is another name for ${target.name}` }
  }
  const kind = wanted.kind === 'group' ? 'group' : concept.kind === 'cultivar' ? 'cultivar' : 'kind'
  const wide = wanted.kind === 'group' ? wanted.name : target.name
  return { kind, reason: `${name} is ${article(wide)} ${wide}` }
}

/** Returns whether two names of a concept differ only by a form or kind ("onion set" of "onion") or by their spelling. */
function isSameName(a: string, b: string): boolean {
  const [words, others] = [wordsOf(a).map(singular), wordsOf(b).map(singular)]
  if (words.every((word) => others.includes(word)) || others.every((word) => words.includes(word)))
    return true
  const [key, other] = [keyOf(a), keyOf(b)]
  return key.length > 4 && other.length > 4 && editDistance(key, other) <= 2
}

/** Returns the same reason for the owner of the listing. */
export function explainToOwner(reason: string): string {
  const ending = [listed, open].find(({ interested }) => reason.endsWith(interested))
  return ending ? `${reason.slice(0, -ending.interested.length)}${ending.owner}` : reason
}

function article(name: string): string {
  return /^(?:[aeio]|u(?!ni|s))/i.test(name) ? 'an' : 'a'
}
