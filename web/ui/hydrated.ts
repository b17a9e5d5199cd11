import { whenIdle } from './when-idle.ts'

const attribute = 'data-hydrating'

/** Marks the page as hydrated once the browser is idle: React hydrates the parts of a page one after the other, and tells nobody. */
export function markHydrated(): () => void {
  return whenIdle(() => document.documentElement.removeAttribute(attribute))
}

/** Resolves when the page is hydrated. Before that, React would take another screen for a mistake in the server's. */
export function hydrated(): Promise<void> {
  const { documentElement } = document
  if (!documentElement.hasAttribute(attribute)) return Promise.resolve()
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe(documentElement, { attributeFilter: [attribute] })
  })
}
