import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { z } from 'zod/mini'
import { useDraft } from './use-draft.ts'

interface FormDraftOptions<Values extends FieldValues> {
  readonly key: string
  /** Names the fields that are stored, and checks them when they are read. */
  readonly schema: z.ZodMiniObject
  /** The values that the form starts from. Only what differs from them is stored. */
  readonly saved: Values
  /** True if a photo is chosen. The photo itself is not stored. */
  readonly hasPhoto?: boolean
  /** `false` leaves a stored draft alone until something is typed. */
  readonly restore?: boolean
}

/** Keeps the changed fields of a form as a draft, and restores them when the form is opened again. */
export function useFormDraft<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  { key, schema, saved, hasPhoto = false, restore = true }: FormDraftOptions<Values>,
) {
  const draftSchema = useMemo(() => z.object({ fields: z.partial(schema), hadPhoto: z.boolean() }), [schema])
  const draft = useDraft(key, draftSchema)
  const [savedAtStart] = useState(saved)
  const storedDraft = restore ? draft.restored : undefined
  const restored = useMemo(
    () => changedFields(storedDraft?.fields, savedAtStart),
    [storedDraft, savedAtStart],
  )
  const isRestored = restored.length > 0

  const [isPhotoKnown, setPhotoKnown] = useState(false)
  const lacksPhoto = isRestored && storedDraft?.hadPhoto === true && !isPhotoKnown
  const hadPhoto = hasPhoto || lacksPhoto

  useLayoutEffect(() => {
    for (const [name, value] of restored)
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }, [form, restored])

  const save = useEffectEvent((values: unknown) => {
    const fields = changedFields(values, saved).filter(([name]) => name in schema.shape)
    draft.save(fields.length > 0 ? { fields: Object.fromEntries(fields), hadPhoto } : undefined)
  })
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ values, name }) {
          // A reset, or new values from the server, have no field name.
          if (name !== undefined) save(values)
        },
      }),
    [form],
  )
  const storedPhoto = useRef(hadPhoto)
  useEffect(() => {
    if (storedPhoto.current !== hadPhoto) save(form.getValues())
    storedPhoto.current = hadPhoto
  }, [form, hadPhoto])

  return {
    clear: draft.clear,
    submit: draft.submit,
    isRestored,
    /** True if the restored draft had a photo, until `markPhotoChanged` is called. */
    lacksPhoto,
    /** Call it when the member has chosen a photo again or removed it. */
    markPhotoChanged: () => setPhotoKnown(true),
    /** Removes the draft and shows the saved values again. */
    discard() {
      draft.discard()
      form.reset(saved, { keepDirtyValues: false, keepErrors: false })
    },
  }
}

/** Returns the fields that differ from the saved ones. */
function changedFields<Values extends FieldValues>(values: unknown, saved: Values): [string, unknown][] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).filter(([name, value]) => name in saved && value !== saved[name])
}
