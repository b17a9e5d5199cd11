import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod/mini'
import { useDraft } from './use-draft.ts'

/** A schema that has all fields of the form. */
type SchemaOf<Values, Schema> = Schema extends z.ZodMiniType
  ? keyof Values extends keyof z.input<Schema>
    ? Schema
    : never
  : never

interface FormDraftOptions<Values extends FieldValues, Schema> {
  readonly key: string
  /** The schema of the form. Stored values may be invalid, but must have its types. */
  readonly schema: SchemaOf<Values, Schema>
  /** The values that the form starts from. Only what differs from them is stored. */
  readonly saved: Values
  /** The fields that are never stored. */
  readonly secret?: readonly (keyof Values)[]
  /** `false` leaves a stored draft alone until something is typed. */
  readonly restore?: boolean
}

/** Keeps the changed fields of a form as a draft, and restores them when the form is opened again. */
export function useFormDraft<Values extends FieldValues, Sent, Schema extends z.ZodMiniType>(
  form: UseFormReturn<Values, unknown, Sent>,
  { key, schema, saved, secret = [], restore = true }: FormDraftOptions<Values, Schema>,
) {
  const draft = useDraft(key, readFields)
  const [savedAtStart] = useState(saved)
  const stored = restore ? draft.restored?.fields : undefined
  const restored = useMemo(
    () => changedFields(stored && ofRightType(schema, stored), savedAtStart),
    [schema, stored, savedAtStart],
  )

  useLayoutEffect(() => {
    for (const [name, value] of restored)
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }, [form, restored])

  const lastSaved = useRef(saved)
  // Runs after the effect by which React Hook Form shows new values.
  useEffect(() => {
    lastSaved.current = saved
  }, [saved])

  const save = useEffectEvent((values: unknown) => {
    // New values from the server fill the form field by field: nothing is typed.
    if (saved !== lastSaved.current) return
    const fields = changedFields(values, saved).filter(([name]) => !secret.some((field) => field === name))
    draft.save(fields.length > 0 ? { fields: Object.fromEntries(fields) } : undefined)
  })
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ values, name }) {
          // A reset has no field name.
          if (name !== undefined) save(values)
        },
      }),
    [form],
  )

  return {
    clear: draft.clear,
    submit: draft.submit,
    isRestored: restored.length > 0,
    /** Removes the draft and shows the saved values again. */
    discard() {
      draft.discard()
      form.reset(saved, { keepDirtyValues: false, keepErrors: false })
    },
  }
}

/** Reads the draft of a form. */
function readFields(stored: unknown): { fields: Readonly<Record<string, unknown>> } | undefined {
  const { fields } = Object(stored)
  return typeof fields === 'object' && fields !== null ? { fields } : undefined
}

/** Returns the fields that differ from the saved ones. */
function changedFields<Values extends FieldValues>(values: unknown, saved: Values): [string, unknown][] {
  if (typeof values !== 'object' || values === null) return []
  const isChanged = ([name, value]: [string, unknown]) =>
    name in saved && JSON.stringify(value) !== JSON.stringify(saved[name])
  return Object.entries(values).filter(isChanged)
}

const typeFaults: readonly unknown[] = ['invalid_type', 'invalid_value', 'invalid_union']

/** Leaves out the fields whose type the schema refuses: another release stored them, or JSON has no such value. */
function ofRightType(schema: z.ZodMiniType, fields: Readonly<Record<string, unknown>>) {
  const issues = schema.safeParse(fields).error?.issues ?? []
  const faulty = issues.filter(({ code }) => typeFaults.includes(code)).map(({ path: [name] }) => name)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !faulty.includes(name)))
}
