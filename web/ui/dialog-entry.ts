import type { RouterHistory } from '@tanstack/react-router'

/** Marks a history entry whose dialog has closed, until the browser leaves it or another dialog reuses it. */
const free = 'free'

/** Resolves when the browser has left the entry of a closed dialog. Until then no other dialog can use the history. */
let leaving: Promise<unknown> | undefined

/**
 * Adds a history entry with the same URL while a dialog is open, so that Back closes the dialog. The router does not know the
 * entry: a navigation goes back to the page's entry first. `onBack` returns false if the dialog stays open. Returns a function to call
 * when the dialog has closed.
 */
export function addDialogEntry(history: RouterHistory, id: string, onBack: () => boolean): () => void {
  const pageKey = window.history.state?.__TSR_key
  const listening = new AbortController()
  let isClosed = false
  let isLeaving = false
  const left = new Promise((resolve) => listening.signal.addEventListener('abort', resolve))

  if (leaving !== undefined) void leaving.then(add)
  else add()
  // A capturing listener runs before the router's.
  addEventListener('popstate', onPopState, { capture: true, signal: listening.signal })
  const unblock = history.block({
    blockerFn: async ({ action }) => {
      if (action === 'PUSH' || action === 'REPLACE') await leave()
      return false
    },
    enableBeforeUnload: false,
  })

  function add() {
    if (isClosed) return
    markEntry(currentDialog() === free ? 'replaceState' : 'pushState', id)
  }

  function end() {
    if (leaving === left) leaving = undefined
    listening.abort()
    unblock()
  }

  function onPopState(event: PopStateEvent) {
    // Back from a dialog above this one.
    if (event.state?.dialog === id) return
    const isSamePage = event.state?.__TSR_key === pageKey
    if (isSamePage) event.stopImmediatePropagation()
    const isBack = isSamePage && !isClosed && !isLeaving
    if (isBack && !onBack()) markEntry('pushState', id)
    else end()
  }

  /** Goes back to the page's entry, if this one is still current. */
  function leave(): Promise<unknown> {
    if (isLeaving) return left
    isLeaving = true
    if (leaving !== undefined) void leaving.then(end)
    else if (currentDialog() === (isClosed ? free : id)) {
      leaving = left
      window.history.back()
    } else end()
    return left
  }

  return function close() {
    isClosed = true
    if (isLeaving) return
    if (currentDialog() === id) markEntry('replaceState', free)
    // Deferred, so that a dialog that opens at once can reuse the entry.
    setTimeout(leave)
  }
}

/** Leaves the entry of a dialog that was open when the page was reloaded. */
export function leaveReloadedDialogEntry() {
  if (currentDialog() !== undefined) window.history.back()
}

function currentDialog(): unknown {
  return window.history.state?.dialog
}

/** Calls the native methods. The router has replaced them on `window.history` with its own. */
function markEntry(method: 'pushState' | 'replaceState', dialog: string) {
  History.prototype[method].call(window.history, { ...window.history.state, dialog }, '')
}
