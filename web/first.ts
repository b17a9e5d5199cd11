import { callsAt } from '#contract/address.ts'
import { firstCalls } from '#contract/first-calls.ts'
import type { Listing } from '#contract/listings.ts'
import { type BroughtAnswer, keepBrought, keepFirstAnswer } from '#web/api/first-answers.ts'
import { mirrorLogin, type StoredLogin, storedLogin } from '#web/features/auth/stored-login.ts'
import { cardsInFirstScreen, pictureSizes } from '#web/features/listings/picture-sizes.ts'
import { missingPart } from '#web/routes/-missing-part.ts'

// Runs alone, before the first paint and long before the app. The page has brought what its member sees first, as answers for
// the app and drawn as it will stand, unless it did not know who comes; then the answers are asked for here.
const patienceMs = 30_000
/** A look is painted before the scripts are asked for: when its pictures are there, or when they are late. */
const latePicturesMs = 1000
/** What is drawn takes as long to be on the screen. */
const shownMs = 50
/** An app that did not come is asked for once more, and then by whoever waits for it. */
const againMs = 2000
const { documentElement } = document
const { pathname } = location
/** Whose page it is. */
const { member } = documentElement.dataset
const login = storedLogin()
const isMine = login !== null && (member === undefined || member === String(login.user.id))
// The mark lets be seen what the page has brought: to nobody but its member.
documentElement.toggleAttribute('data-member', isMine)
mirrorLogin()
if (isMine && member === undefined && location.search === '') askFor(pathname, login)
document.addEventListener('DOMContentLoaded', begin)
let scrolledTo = 0
addEventListener('scroll', noteScroll)
addEventListener('error', askAgain, true)
addEventListener('screen', keepPlace)
addEventListener('answers', () => requestAnimationFrame(endLook), { once: true })

function begin() {
  const brought = document.getElementById('brought')
  if (isMine && brought !== null) {
    const answers: readonly BroughtAnswer[] = JSON.parse(brought.textContent)
    keepBrought(login.token, answers)
  }
  brought?.remove()
  const look = document.querySelector<HTMLElement>('.look')
  // Whoever goes back before the app is there is elsewhere by then.
  if (look !== null) look.dataset.path = pathname
  if (isMine) return whenPainted(startApp)
  document.querySelector('.frame')?.remove()
  look?.classList.remove('look')
  look?.replaceChildren()
  startApp()
}

function whenPainted(then: () => void) {
  const late = setTimeout(painted, latePicturesMs)
  addEventListener('load', painted)
  function painted() {
    clearTimeout(late)
    removeEventListener('load', painted)
    // A page that nobody looks at is not painted.
    if (document.hidden) return then()
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then, shownMs)))
  }
}

/** With a look, the page has named the app's scripts so that no browser fetches them. */
function startApp() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]'))
    link.rel = 'modulepreload'
  const script = document.querySelector<HTMLScriptElement>('script[type="later"]')
  if (script === null) return
  script.type = 'module'
  document.head.append(script)
}

function askAgain({ target }: Event) {
  if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
  removeEventListener('error', askAgain, true)
  setTimeout(() => import(/* @vite-ignore */ target.src).catch(sayMissing), againMs)
}

function sayMissing() {
  const notice = document.createElement('div')
  notice.className = 'missing'
  notice.role = 'alert'
  const button = document.createElement('button')
  button.textContent = 'Try again'
  button.addEventListener('click', () => location.reload())
  notice.append(missingPart, button)
  document.body.append(notice)
}

function noteScroll() {
  scrolledTo = scrollY
}

/** The app has begun each page where it was left, or at its top. Whoever has scrolled meanwhile stays where they are. */
function keepPlace() {
  removeEventListener('scroll', noteScroll)
  removeEventListener('screen', keepPlace)
  document.querySelector('.frame')?.remove()
  if (scrolledTo > 0) scrollTo(0, scrolledTo)
}

/** The app answers now, and what was drawn is its own. */
function endLook() {
  const look = document.querySelector('.look')
  if (look === null) return
  const logs = [...look.querySelectorAll('[role=log]')].map((log) => [log, log.scrollTop] as const)
  look.classList.remove('look')
  for (const control of look.querySelectorAll('[inert]')) control.removeAttribute('inert')
  // In a look their place is counted from the end.
  for (const [log, fromEnd] of logs) log.scrollTop = log.scrollHeight - log.clientHeight + fromEnd
}

function askFor(path: string, { token }: StoredLogin) {
  const [first] = callsAt(firstCalls, path).map((address) => fetchFirst(token, address))
  if (path === '/listings') void showSoon(first, pictureSizes.card)
  else if (path.startsWith('/listings/')) void showSoon(first, pictureSizes.listing)
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
async function showSoon(answer: Promise<Response> | undefined, sizes: string) {
  try {
    const response = await answer
    if (!response?.ok) return
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
