import type { Language } from './languages.ts'
import type { MatchedTarget } from './match.ts'
import { singular } from './plurals.ts'
import { editDistance } from './spelling-index.ts'
import { wordsOf } from './tokenize.ts'
import { keyOf } from './words.ts'
import { listOf, mapOf, type YamlMap } from './yaml-file.ts'

export type ReasonKind = 'same' | 'synonym' | 'kind' | 'open'

/** The term of a concept, undefined for a word that the lexicon lacks, with its name in a text as the lexicon writes it. */
export interface Named {
  readonly term: string | undefined
  readonly name: string
}

/** Why a listing matches a want, as data: it can be stored, and becomes a sentence in the language of whoever reads it. */
export interface Reason {
  readonly kind: ReasonKind
  readonly wanted: Named
  readonly offered: Named
}

/** Names the reader of a reason: the owner of the want or that of the listing. */
export type Reader = 'interested' | 'owner'

/** Returns the reason of a match. It names only what the two texts name. */
export function reasonOf({ target, offered }: MatchedTarget): Reason {
  const wanted = { term: target.concept?.term, name: target.name }
  if (!offered) return { kind: 'same', wanted, offered: wanted }
  const { concept, name } = offered
  const found = { term: concept.term, name }
  if (!target.concept || target.isWider) return { kind: 'open', wanted, offered: found }
  if (target.concept === concept)
    return { kind: isSameName(name, target.name) ? 'same' : 'synonym', wanted, offered: found }
  const isEnglishGroup = target.concept.kind === 'group' && target.language === 'en'
  const wide = isEnglishGroup ? { ...wanted, name: target.concept.name } : wanted
  return { kind: 'kind', wanted: wide, offered: found }
}

/** Returns a reason as a sentence without its full stop, in a language with `reasons.yaml`. */
export function renderReason(
  { kind, wanted, offered }: Reason,
  { reasons }: Language,
  reader: Reader,
): string {
  const toOwner = mapOf(reasons.to_owner)[kind]
  const [sentence = ''] = listOf(reader === 'owner' && toOwner !== undefined ? toOwner : reasons[kind])
  const values: Readonly<Record<string, string>> = {
    wanted: wanted.name,
    offered: offered.name,
    article: articleOf(wanted.name, reasons),
  }
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

function articleOf(name: string, { articles }: YamlMap): string {
  const rules = Array.isArray(articles) ? articles.map(listOf) : []
  return rules.find(([start = '']) => new RegExp(start, 'i').test(name))?.[1] ?? ''
}

/** Returns whether two names of a concept differ only by a form or kind ("onion set" of "onion") or by their spelling. */
function isSameName(a: string, b: string): boolean {
  const [words, others] = [wordsOf(a).map(singular), wordsOf(b).map(singular)]
  if (words.every((word) => others.includes(word)) || others.every((word) => words.includes(word)))
    return true
  const [key, other] = [keyOf(a), keyOf(b)]
  return key.length > 4 && other.length > 4 && editDistance(key, other) <= 2
}
