import { limits } from '#contract/constants.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { getListing, type Listing, listListings } from '#contract/listings.ts'
import { countWanters } from '#contract/matches.ts'
import { getPublicMember } from '#contract/members.ts'
import { countUnreadMessages, listMessages } from '#contract/messages.ts'
import { countUnreadNotifications } from '#contract/notifications.ts'
import { type AddressParts, addressOf } from '#web/api/address.ts'
import { keepFirstAnswer } from '#web/api/first-answers.ts'
import { storedLogin } from '#web/features/auth/stored-login.ts'
import { cardsInFirstScreen, pictureSizes } from '#web/features/listings/picture-sizes.ts'

// Runs alone, before the first paint and long before the app: it marks whether somebody is logged in, and asks for what
// the screen will ask for first. `e2e/first-visit.spec.ts` holds these calls to those of the screens.
const patienceMs = 30_000
const login = storedLogin()
document.documentElement.toggleAttribute('data-member', login !== null)
if (login !== null && location.search === '') askFor(location.pathname, login.token)

function askFor(path: string, token: string) {
  const ask = <E extends Endpoint>(
    endpoint: E,
    parts: Pick<CallInput<E>, keyof AddressParts & keyof CallInput<E>>,
  ) => fetchFirst(token, addressOf(endpoint, parts))
  const [, place, id] = /^\/(listings|messages)\/([1-9]\d*)$/.exec(path) ?? []
  if (path === '/listings') {
    void showSoon(ask(listListings, { query: { public: 'true' } }), pictureSizes.card)
  } else if (path === '/my-listings') {
    void ask(listListings, { query: { mine: 'true', limit: limits.page.max } })
    void ask(countWanters, { query: { limit: limits.page.max } })
  } else if (place === 'listings' && id !== undefined) {
    void showSoon(ask(getListing, { params: { id } }), pictureSizes.listing)
  } else if (place === 'messages' && id !== undefined) {
    void ask(getPublicMember, { params: { id } })
    void ask(listMessages, { params: { id }, query: { limit: limits.messages } })
  } else return
  void ask(countUnreadMessages, {})
  void ask(countUnreadNotifications, {})
}

function fetchFirst(token: string, address: string): Promise<Response> {
  const answer = fetch(address, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(patienceMs),
  })
  keepFirstAnswer(token, address, answer)
  return answer
}

/** Fetches the pictures that the screen will show first of these listings; not before the scripts that will show them. */
async function showSoon(answer: Promise<Response>, sizes: string) {
  try {
    const response = await answer
    if (!response.ok) return
    const answered: Listing | readonly Listing[] = await response.clone().json()
    for (const { image } of [answered].flat().slice(0, cardsInFirstScreen)) {
      if (image === null) continue
      const picture = new Image()
      picture.sizes = sizes
      picture.srcset = image.srcset
    }
  } catch {
    // The app asks again, and says so when nobody answers.
  }
}
