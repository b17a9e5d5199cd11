import type { RouterHistory } from '@tanstack/react-router'

/** Marks an entry whose dialog has closed, until the browser has left it or another dialog takes it. */
const free = 'free'

/**
 * Adds an entry with the same address to the browser's history while a dialog is open, so that Back closes the dialog. The
 * router is not told of it: a navigation waits until the entry is left, and then starts from the entry below. Returns what
 * to call when the dialog has closed.
 */
export function addDialogEntry(history: RouterHistory, id: string, onBack: () => void): () => void {
  const pageKey = window.history.state?.__TSR_key
  const listening = new AbortController()
  let isClosed = false
  let left: Promise<void> | undefined
  let resolveLeft = () => {}

  if (currentDialog() === free) markEntry('replaceState', id)
  else markEntry('pushState', id)
  // Capturing, because the router listens since it was created.
  addEventListener('popstate', arrive, { capture: true, signal: listening.signal })
  const unblock = history.block({
    blockerFn: async ({ action }) => {
      if (action === 'PUSH' || action === 'REPLACE') await leave()
      return false
    },
    enableBeforeUnload: false,
  })

  function end() {
    listening.abort()
    unblock()
    resolveLeft()
  }

  function arrive(event: PopStateEvent) {
    // Back from a dialog that was opened above this one.
    if (event.state?.dialog === id) return
    const isSamePage = event.state?.__TSR_key === pageKey
    if (isSamePage) event.stopImmediatePropagation()
    end()
    if (isSamePage && !isClosed && left === undefined) onBack()
  }

  /** Goes to the entry below, if the browser is still at this one. */
  function leave(): Promise<void> {
    if (left !== undefined) return left
    left = new Promise((resolve) => {
      resolveLeft = resolve
    })
    if (currentDialog() === (isClosed ? free : id)) window.history.back()
    else end()
    return left
  }

  return function close() {
    isClosed = true
    if (left !== undefined) return
    if (currentDialog() === id) markEntry('replaceState', free)
    // A dialog that follows at once takes the entry.
    setTimeout(leave)
  }
}

function currentDialog(): unknown {
  return window.history.state?.dialog
}

/** The methods that the router has put in their place would tell it. */
function markEntry(method: 'pushState' | 'replaceState', dialog: string) {
  History.prototype[method].call(window.history, { ...window.history.state, dialog }, '')
}
