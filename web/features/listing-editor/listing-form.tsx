import { t } from '@lingui/core/macro'
import { useSelector } from '@tanstack/react-store'
import type { ComponentProps, FormEventHandler, ReactNode } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import type { FailureOptions } from '#web/api/form-failure.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import type { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { type PhotoList, PhotoNotSent } from '#web/features/images/photo-list.ts'
import { useSendingText } from '#web/features/images/use-photo-list.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { ListingPhotos } from './listing-fields.tsx'
import css from './listing-form.module.css'
import type { ListingForm } from './listing-values.ts'

type ListingFormFrameProps = {
  form: ListingForm
  draft: Pick<ReturnType<typeof useFormDraft>, 'isRestored' | 'discard'>
  photos: PhotoList
  onSubmit: FormEventHandler
  fields: ReactNode
  /** The checkboxes and buttons at the end. */
  children: ReactNode
}

/** The frame of both listing forms: a notice of a restored draft, the error, the photos, the fields and the buttons. */
export function ListingFormFrame({ form, draft, photos, onSubmit, fields, children }: ListingFormFrameProps) {
  const isRestored = useSelector(photos.state, (state) => state.isRestored) || draft.isRestored

  function discard() {
    draft.discard()
    photos.discard()
  }
  return (
    <>
      {isRestored && <RestoredDraftNotice onDiscard={discard} />}
      <Grid as="form" gap="5" className={css.form} onSubmit={onSubmit} noValidate>
        <FailureBanner
          className={css.failure}
          text={form.formState.errors.root?.server?.message}
          onDismiss={() => form.clearErrors('root.server')}
        />
        <ListingPhotos form={form} photos={photos} />
        {fields}
        <Stack gap="5" align="start" className={css.finish}>
          {children}
        </Stack>
      </Grid>
    </>
  )
}

/** Returns how both listing forms show a failure: the server's refusal, or this text. */
export function listingFailure(text: string): FailureOptions {
  return {
    places: { image_ids: 'root.photos' },
    text(failure) {
      if (failure instanceof PhotoNotSent) return failure.message
      const isRefusal = failure instanceof ApiError && failure.status >= 400 && failure.status < 500
      return (isRefusal ? failure.detail : undefined) ?? text
    },
  }
}

type SubmitListingProps = Pick<ListingFormFrameProps, 'form' | 'photos'> &
  Pick<ComponentProps<typeof Button>, 'wide' | 'children'>

/** The submit button of both listing forms. Shows the progress of the photos while the listing is being saved. */
export function SubmitListing({ form, photos, ...button }: SubmitListingProps) {
  const sending = useSendingText(photos)
  return <Button {...button} type="submit" busy={form.formState.isSubmitting && (sending ?? t`Saving...`)} />
}
