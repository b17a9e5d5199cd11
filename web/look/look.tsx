import './no-browser.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { type BroughtAnswer, dropFirstAnswers, keepBrought } from '#web/api/first-answers.ts'
import { queryClient } from '#web/api/query-client.ts'
import { removeLogin, storeLogin } from '#web/features/auth/stored-login.ts'
import { createAppRouter } from '#web/router.tsx'
import { site, siteOf, type WrittenSite } from '#web/site.ts'
import { rehearsals } from './rehearsals.ts'

/** A screen as its member sees it first, and the title of its page. */
export interface Look {
  readonly markup: string
  readonly title: string
}

/** Stands for the login, which is not needed where nothing is asked. */
const token = 'look'
/** They answer when the app does: until then nobody presses what does not, or types what would be lost. */
const controls = /<(?:button|input|textarea|select|label)(?=[\s>])/g
/** The content security policy allows none; the app draws without them first. React writes quotes of a text as entities: these are attributes. */
const styles = / style="[^"]*"/g
/** Every screen has one. What breaks while it is drawn React leaves out, for the browser to try. */
const heading = /<h1[\s>]/
/** React writes the preloads of pictures in front; they are in the page already. */
const preloads = /^(?:<link[^>]*>)+/

/** To be called before the first look. */
export function setSite(written: WrittenSite) {
  Object.assign(site, siteOf(written))
}

/**
 * Draws the screen at a path by the app's own routes and components, of the answers to what it asks first. One at a time: the app
 * has one login and one query cache, which are empty before and after. Throws when the screen needs more than it was brought.
 */
export async function drawLook(
  path: string,
  member: number,
  brought: readonly BroughtAnswer[],
): Promise<Look> {
  if (queryClient.getQueryCache().getAll().length > 0) throw new Error('Something is left of another look')
  storeLogin(token, { id: member, username: '' })
  keepBrought(token, brought)
  try {
    const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
    await router.load()
    while (queryClient.isFetching() > 0) await turn()
    const { location, matches } = router.state
    const known = queryClient.getQueryCache().getAll()
    if (location.pathname !== path || [...matches, ...known.map(({ state }) => state)].some(hasFailed))
      throw new Error(`The screen at ${path} is not there at once`)
    const title = matches.flatMap(({ meta }) => meta ?? []).findLast((tag) => tag?.title)?.title
    const markup = renderToString(<RouterProvider router={router} />)
    if (!heading.test(markup)) throw new Error(`The screen at ${path} broke while it was drawn`)
    return {
      markup: markup.replace(preloads, '').replaceAll(styles, '').replaceAll(controls, '$& inert'),
      title: `${title} · Rhubarb`,
    }
  } finally {
    removeLogin()
    dropFirstAnswers()
    queryClient.clear()
  }
}

/** Draws every screen once for nobody. */
export async function rehearse() {
  for (const { path, member, brought } of rehearsals) await drawLook(path, member, brought)
}

function hasFailed({ status }: { readonly status: string }): boolean {
  return status !== 'success'
}
