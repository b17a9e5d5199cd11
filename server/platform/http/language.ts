import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { isLanguage, type Language, languageCookie, languages } from '#contract/languages.ts'

const offered = Object.keys(languages)

/** Returns the best language for an `Accept-Language` header (RFC 9110, section 12.5.4); undefined without one or if none fits. */
export function acceptedLanguage(headers: IncomingHttpHeaders): Language | undefined {
  if (headers['accept-language'] === undefined) return undefined
  return new Negotiator({ headers }).languages(offered).find(isLanguage)
}

const chosenLanguage = new RegExp(`(?:^|; ?)${languageCookie}=([\\w-]+)`)

/** Returns the language that a guest has chosen, or else the best for the browser. */
export function guestLanguage(headers: IncomingHttpHeaders): Language | undefined {
  const chosen = chosenLanguage.exec(headers.cookie ?? '')?.[1]
  return chosen !== undefined && isLanguage(chosen) ? chosen : acceptedLanguage(headers)
}
