import { whenIdle } from './when-idle.ts'

const attribute = 'data-hydrating'

/** Marks the page as hydrated once the browser is idle, because React does not report the end of hydration. */
export function markHydrated(): () => void {
  return whenIdle(() => document.documentElement.removeAttribute(attribute))
}

export function isHydrating(): boolean {
  return document.documentElement.hasAttribute(attribute)
}

/** Resolves when the page is hydrated. A navigation before that causes a hydration mismatch. */
export function hydrated(): Promise<void> {
  const { documentElement } = document
  if (!isHydrating()) return Promise.resolve()
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe(documentElement, { attributeFilter: [attribute] })
  })
}

/** Returns whether the page is being reloaded before its hydration has ended, so that its errors do not matter. */
export function isReloading(): boolean {
  return document.documentElement.hasAttribute('data-reloading')
}

/** Reloads the page because its screen becomes another, which React can not hydrate. */
export function reloadPage() {
  document.documentElement.toggleAttribute('data-reloading', true)
  location.reload()
}
