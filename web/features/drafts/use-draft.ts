import { useHydrated } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useAppContext } from '#web/context/app-context.ts'
import { shownMemberId } from '#web/login/login-store.ts'
import { clearLater, readDraft, saveDraft } from './draft-storage.ts'

/** Keeps the typed values in local storage until they are submitted or discarded, across reloads and a lost login. */
export function useDraft<Value>(key: string, read: (stored: unknown) => Value | undefined) {
  const { login } = useAppContext()
  // After a login of another member in another tab, this page is shown until it is loaded again.
  const [member] = useState(() => shownMemberId(login))
  const isHydrated = useHydrated()
  const [discarded, setDiscarded] = useState<string>()
  const stored = useMemo(
    () => (isHydrated ? readDraft(login, key, read) : undefined),
    [isHydrated, login, key, read],
  )
  return useMemo(
    () => ({
      /** The draft of an earlier visit, until it is discarded. Undefined on the server and while the page hydrates. */
      restored: discarded === key ? undefined : stored,
      /** Stores the typed values. `undefined` removes the draft. */
      save(value: Value | undefined) {
        if (shownMemberId(login) === member) saveDraft(login, key, value)
      },
      clear: () => saveDraft(login, key, undefined),
      /** Removes the draft and sets `restored` to undefined. */
      discard() {
        saveDraft(login, key, undefined)
        setDiscarded(key)
      },
      /** Call it when the values are sent. Returns a function for success, which removes the draft unless it has changed since. */
      submit: () => clearLater(login, key),
    }),
    [login, member, key, stored, discarded],
  )
}
