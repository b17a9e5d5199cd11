import { useHydrated } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { useAppContext } from '#web/app-context.ts'
import { clearLater, readDraft, saveDraft } from './draft-storage.ts'

export interface Draft<Value> {
  /** The draft of an earlier visit, until it is discarded. Undefined on the server and while the page hydrates. */
  readonly restored: Value | undefined
  /** Stores what is typed. `undefined` means that there is nothing to keep. */
  readonly save: (value: Value | undefined) => void
  readonly clear: () => void
  /** Clears the draft and takes `restored` away. */
  readonly discard: () => void
  /** Call it when the form is submitted. Call what it returns on success: it clears what was submitted, not what was typed later. */
  readonly submit: () => () => void
}

/** Keeps what is typed in local storage until it is submitted or discarded, across reloads and a lost login. */
export function useDraft<Value>(key: string, schema: z.ZodType<Value>): Draft<Value> {
  const { login } = useAppContext()
  const isHydrated = useHydrated()
  const [discarded, setDiscarded] = useState<string>()
  const found = useMemo(
    () => (isHydrated ? readDraft(login, key, schema) : undefined),
    [isHydrated, login, key, schema],
  )
  return useMemo(
    () => ({
      restored: discarded === key ? undefined : found,
      save: (value) => saveDraft(login, key, value),
      clear: () => saveDraft(login, key, undefined),
      discard() {
        saveDraft(login, key, undefined)
        setDiscarded(key)
      },
      submit: () => clearLater(login, key),
    }),
    [login, key, found, discarded],
  )
}
