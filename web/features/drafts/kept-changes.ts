import { useEffect, useLayoutEffect, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { forgetSent, keep, readKept, readKeptJson } from './kept-text.ts'

const nothing: readonly never[] = []

/**
 * Keeps what a member has changed in a form for what is saved already, until they save or discard it, and brings it back
 * when the form stands again. `never` names what is not for the browser to keep.
 */
export function useKeptChanges<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: string,
  saved: Values,
  never: readonly (keyof Values)[] = nothing,
) {
  const [found] = useState(() => changesIn(readKeptJson(name), saved))
  const [isBack, setIsBack] = useState(found.length > 0)
  useLayoutEffect(() => {
    for (const [field, value] of found)
      form.setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }, [form, found])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values, name: field }) => {
          // Only what a hand has changed: what comes from the server names no field.
          if (field === undefined) return
          const changes = changesIn(values, saved).filter(([field]) => !never.includes(field))
          keep(name, changes.length > 0 ? JSON.stringify(Object.fromEntries(changes)) : '')
        },
      }),
    [form, name, saved, never],
  )
  const forget = () => keep(name, '')
  return {
    /** Whether what stands in the form was changed on an earlier visit. */
    isBack,
    forget,
    /** To be called when the form is sent; what it returns, once that has gone well. */
    sending() {
      const sent = readKept(name)
      return () => forgetSent(name, sent)
    },
    discard() {
      forget()
      form.reset(saved, { keepDirtyValues: false, keepErrors: false })
      setIsBack(false)
    },
  }
}

/** The fields that differ from what is saved. */
export function changesIn<Values extends FieldValues>(
  values: unknown,
  saved: Values,
): [keyof Values, unknown][] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).filter(([field, value]) => field in saved && value !== saved[field])
}
