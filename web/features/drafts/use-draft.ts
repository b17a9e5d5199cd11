import { useHydrated } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { z } from 'zod/mini'
import { useAppContext } from '#web/context/app-context.ts'
import { clearLater, readDraft, saveDraft } from './draft-storage.ts'

export interface Draft<Value> {
  /** The draft of an earlier visit, until it is discarded. Undefined on the server and while the page hydrates. */
  readonly restored: Value | undefined
  /** Stores the typed values. `undefined` removes the draft. */
  readonly save: (value: Value | undefined) => void
  readonly clear: () => void
  /** Removes the draft and sets `restored` to undefined. */
  readonly discard: () => void
  /** Call it when the values are sent. Returns a function for success, which removes the draft unless it has changed since. */
  readonly submit: () => () => void
}

/** Keeps the typed values in local storage until they are submitted or discarded, across reloads and a lost login. */
export function useDraft<Value>(key: string, schema: z.ZodMiniType<Value>): Draft<Value> {
  const { login } = useAppContext()
  const isHydrated = useHydrated()
  const [discarded, setDiscarded] = useState<string>()
  const stored = useMemo(
    () => (isHydrated ? readDraft(login, key, schema) : undefined),
    [isHydrated, login, key, schema],
  )
  return useMemo(
    () => ({
      restored: discarded === key ? undefined : stored,
      save: (value) => saveDraft(login, key, value),
      clear: () => saveDraft(login, key, undefined),
      discard() {
        saveDraft(login, key, undefined)
        setDiscarded(key)
      },
      submit: () => clearLater(login, key),
    }),
    [login, key, stored, discarded],
  )
}
