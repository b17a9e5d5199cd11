import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { categoryName } from '#contract/constants.ts'
import {
  actOnListings,
  type DeskListing,
  type ListingAction,
  type ListingActionResult,
  listingActions,
} from '#contract/desk-listings.ts'
import type { SiteRule } from '#contract/report-cases.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import {
  type CategoryName,
  categoryIdOf,
  categoryLabel,
  groupNames,
} from '#web/features/listings/categories.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { RuleField } from './decision-fields.tsx'
import { refreshDesk } from './desk-queries.ts'
import { listingActionTexts } from './desk-texts.ts'
import { reasonRules } from './reason-rules.ts'

interface Fields {
  action: ListingAction
  rule: SiteRule
  category: CategoryName
  reason: string
}

interface DialogProps {
  listings: readonly DeskListing[]
  /** Runs after the listings were changed. */
  onDone: () => void
  onClose: () => void
}

/** Hides, shows or categorizes listings. After a conflict with another moderator it shows why, and what is now. */
export function ListingActionDialog({ listings, onDone, onClose }: DialogProps) {
  const client = useQueryClient()
  const form = useForm<Fields>({
    defaultValues: {
      action: listings.every(({ is_hidden }) => is_hidden) ? 'show' : 'hide',
      rule: 'other',
      category: categoryName(listings[0]?.category_id ?? null),
      reason: '',
    },
    reValidateMode: 'onSubmit',
  })
  const action = form.watch('action')
  const submit = useSubmit(form, {
    async send({ category, ...fields }) {
      const ids = listings.map(({ id }) => id)
      try {
        return await call(client, actOnListings, {
          body: { ...fields, ids, category_id: categoryIdOf(category) },
        })
      } finally {
        void refreshDesk(client)
      }
    },
    toast: sentenceOf,
    leave() {
      onDone()
      onClose()
    },
  })
  const [first] = listings
  return (
    <FormDialog
      title={
        listings.length === 1 && first
          ? first.title
          : plural({ count: listings.length }, { one: 'decide on # listing', other: 'decide on # listings' })
      }
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      <SelectField
        label={t`Action`}
        options={listingActions.map((value) => ({ value, label: textOf(listingActionTexts[value]) }))}
        {...fieldOf(form, 'action')}
      />
      {action === 'hide' && <RuleField {...fieldOf(form, 'rule')} />}
      {action === 'categorize' && (
        <SelectField
          label={t`Category`}
          options={groupNames.map((value) => ({ value, label: categoryLabel(value) }))}
          {...fieldOf(form, 'category')}
        />
      )}
      <TextArea
        label={t`Reason`}
        hint={t`The owner reads it too.`}
        {...fieldOf(form, 'reason', reasonRules)}
      />
    </FormDialog>
  )
}

/** Says how many listings were changed, and how many were not because another was faster. */
function sentenceOf({ done, unchanged, gone }: ListingActionResult): string {
  const changed = plural({ count: done.length }, { one: '# listing changed.', other: '# listings changed.' })
  const others = unchanged.length + gone.length
  if (others === 0) return changed
  const left = plural(
    { count: others },
    { one: '# was so already or is deleted.', other: '# were so already or are deleted.' },
  )
  return `${changed} ${left}`
}
