import type { Match } from './match.ts'
import type { Offered } from './offer.ts'
import type { Target } from './wish.ts'
import { keyOf } from './words.ts'

/** Why a listing that offers this fits a want for that, in a gardener's words. */
export function reasonFor(target: Target, offered: Offered | undefined): Match {
  if (!offered) return { kind: 'words', reason: `${target.name} is on your list` }
  const { concept, name } = offered
  const wanted = target.concept
  if (!wanted) return { kind: 'group', reason: `${name} is one of the things you are open to` }
  if (wanted === concept) {
    if (keyOf(name) === keyOf(target.name)) return { kind: 'same', reason: `${name} is on your list` }
    return { kind: 'synonym', reason: `${name} is another name for ${target.name}` }
  }
  const kind = wanted.kind === 'group' ? 'group' : concept.kind === 'cultivar' ? 'cultivar' : 'kind'
  const wide = wanted.kind === 'group' ? wanted.name : target.name
  return { kind, reason: `${name} is ${article(wide)} ${wide}` }
}

function article(name: string): string {
  return /^(?:[aeio]|u(?!ni|s))/i.test(name) ? 'an' : 'a'
}
