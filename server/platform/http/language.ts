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

const yearSeconds = 31_536_000

/** Returns the language that the link of a page asks for: `?lang=es`. */
export function requestedLanguage(query: unknown): Language | undefined {
  const requested = new Map(Object.entries(Object(query))).get(languageCookie)
  return typeof requested === 'string' && isLanguage(requested) ? requested : undefined
}

/** Returns the cookie that stores a language. The client also writes it when a member logs in. */
export function languageCookieOf(language: Language, isSecure: boolean): string {
  return `${languageCookie}=${language}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${isSecure ? '; Secure' : ''}`
}

/** Returns the language that a guest has chosen, or else the best for the browser. */
export function guestLanguage(headers: IncomingHttpHeaders): Language | undefined {
  const chosen = chosenLanguage.exec(headers.cookie ?? '')?.[1]
  return chosen !== undefined && isLanguage(chosen) ? chosen : acceptedLanguage(headers)
}
