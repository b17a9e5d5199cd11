import { t } from '@lingui/core/macro'
import { Check } from '#web/ui/check.tsx'
import { checkOf } from '#web/ui/form.tsx'
import type { ListingForm } from './listing-values.ts'

/** A checkbox that makes the listing public. Says who sees it as chosen. */
export function VisibilityCheck({ form }: { form: ListingForm }) {
  const isPublic = form.watch('is_public')
  return (
    <Check
      label={t`publish the post to public`}
      hint={isPublic ? t`Every member sees it.` : t`Only your friends see it.`}
      {...checkOf(form, 'is_public')}
    />
  )
}
