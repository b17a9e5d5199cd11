import { whenIdle } from './when-idle.ts'

const attribute = 'data-hydrating'

/** Marks the page as hydrated once the browser is idle, because React does not report the end of hydration. */
export function markHydrated(): () => void {
  return whenIdle(() => document.documentElement.removeAttribute(attribute))
}

/** Resolves when the page is hydrated. A navigation before that causes a hydration mismatch. */
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
