import { lexicon } from './lexicon.ts'
import type { MatchedTarget } from './match.ts'
import { type Reader, type Reason, reasonOf, renderReason } from './reason.ts'

type MatchKind = 'same' | 'synonym' | 'cultivar' | 'kind' | 'group' | 'words'

export interface Match {
  /** A sentence without its full stop: "courgette is another name for zucchini". */
  readonly reason: string
  /** The reason as data. */
  readonly why: Reason
  readonly kind: MatchKind
}

/** A reason as it is stored: data, or the English sentence of an earlier release for the owner of the want. */
export type StoredReason = Reason | string

/** Returns a match with its reason in English for the owner of the want. */
export function explain(matched: MatchedTarget): Match {
  const why = reasonOf(matched)
  return { kind: kindOf(matched), reason: tellReason(why, 'en', 'interested'), why }
}

/** Returns a reason as a sentence without its full stop in the reader's language, or in English if the lexicon has no reasons in it. */
export function tellReason(reason: Reason, language: string, reader: Reader): string {
  const { reasons } = lexicon().language(language) ?? {}
  const told = lexicon().language(reasons?.same === undefined ? 'en' : language)
  return told ? renderReason(reason, told, reader) : ''
}

function kindOf({ target, offered }: MatchedTarget): MatchKind {
  if (!offered) return 'words'
  if (!target.concept) return 'group'
  if (target.concept === offered.concept)
    return reasonOf({ target, offered }).kind === 'same' ? 'same' : 'synonym'
  if (target.concept.kind === 'group') return 'group'
  return offered.concept.kind === 'cultivar' ? 'cultivar' : 'kind'
}

/** The endings of English reasons for the owner of the want, with those for the owner of the listing. */
const endings = [
  ['is on your list', 'is on their list'],
  ['is one of the things you are open to', 'is one of the things they are open to'],
] as const

/** Returns a stored reason as a sentence without its full stop: data in a language, null for English, and a text as it is. */
export function tellStoredReason(reason: StoredReason, language: string | null, reader: Reader): string {
  if (typeof reason !== 'string') return tellReason(reason, language ?? 'en', reader)
  return reader === 'owner' ? explainToOwner(reason) : reason
}

function explainToOwner(reason: string): string {
  const ending = endings.find(([interested]) => reason.endsWith(interested))
  return ending ? `${reason.slice(0, -ending[0].length)}${ending[1]}` : reason
}
