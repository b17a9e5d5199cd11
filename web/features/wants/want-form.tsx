import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useHydrated, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type UseFormReturn, useFieldArray, useForm } from 'react-hook-form'
import { categoryName, limits } from '#contract/constants.ts'
import { type Want, wantMessages } from '#contract/wants.ts'
import { ApiError } from '#web/api/api-error.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { type CategoryName, categoryLabel, groupNames } from '#web/features/listings/categories.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { QuickWant } from './quick-want.tsx'
import css from './want-form.module.css'
import { WantColumns, WantGroup } from './want-groups.tsx'
import {
  canAdd,
  changesIn,
  countKept,
  findItem,
  hasChanges,
  isEmpty,
  isListEmpty,
  listOf,
  newItem,
  rebase,
  type SuggestedWant,
  type WantList,
  wantList,
  withSuggestion,
} from './want-items.ts'
import { WantLine } from './want-line.tsx'
import { fetchMyWants, saveMyWants } from './want-queries.ts'

type WantListForm = UseFormReturn<WantList>

type WantFormProps = {
  /** Undefined if they could not be loaded. */
  wants: readonly Want[] | undefined
  suggested: SuggestedWant | undefined
}

/** Edits the whole want list and saves it at once. Unsaved changes are kept as a draft. */
export function WantForm({ wants, suggested }: WantFormProps) {
  const { form, draft, submit } = useWantForm(wants, suggested)
  const { errors, isSubmitting } = form.formState
  return (
    <>
      {draft.isRestored && <RestoredDraftNotice onDiscard={draft.discard} />}
      <Grid as="form" gap="8" onSubmit={submit} onChange={() => form.clearErrors()} noValidate>
        <FailureBanner text={errors.root?.server?.message} onDismiss={() => form.clearErrors('root')} />
        <QuickWant form={form} setList={(list) => setList(form, list)} />
        <WantColumns wide>
          {groupNames.map((name) => (
            <CategoryGroup key={name} name={name} form={form} />
          ))}
        </WantColumns>
        <div className={css.finish}>
          <Button type="submit" wide busy={isSubmitting && t`Saving...`}>
            {t`save`}
          </Button>
        </div>
      </Grid>
    </>
  )
}

/** Thrown when there is nothing to save. */
class NothingToSave extends Error {
  override readonly name = 'NothingToSave'
}

/** Holds the form with its draft. The current wants replace what the member has not changed. */
function useWantForm(wants: readonly Want[] | undefined, suggested: SuggestedWant | undefined) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const saved = useMemo(() => listOf(wants ?? []), [wants])
  const form: WantListForm = useForm<WantList>({
    resolver: zodResolver(wantList),
    defaultValues: saved,
    reValidateMode: 'onSubmit',
  })
  const draft = useFormDraft(form, { key: 'wants', schema: wantList, saved })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a restored draft is rebased too.
  useEffect(() => {
    if (wants) setList(form, rebase(form.getValues(), wants))
  }, [form, wants, draft.isRestored])
  useSuggestion(form, suggested)
  /** True after a failed save. It may have been stored without its response, or an item was deleted elsewhere. */
  const hasFailed = useRef(false)
  const submit = useSubmit(form, {
    async send(list) {
      if (isListEmpty(list) && !hasChanges(changesIn(list))) throw new NothingToSave()
      const changes = changesIn(hasFailed.current ? rebase(list, await fetchMyWants(client)) : list)
      hasFailed.current = true
      if (hasChanges(changes)) form.reset(listOf(await saveMyWants(client, changes)))
      hasFailed.current = false
    },
    draft,
    toast: t`Wish list saved`,
    leave: () => navigate({ to: '/my-listings', search: { tab: 'want' } }),
    failure: { text: failureText },
    onFailedLater: useReopenToast('wants', t`Your wish list was not saved.`, { to: '/post-want' }),
  })
  return { form, draft, submit }
}

/** Sets the changed categories, so that the other fields keep the focus. */
function setList(form: WantListForm, list: WantList) {
  for (const name of groupNames)
    if (JSON.stringify(list[name]) !== JSON.stringify(form.getValues(name))) form.setValue(name, list[name])
}

/** Puts the suggestion into the form, which stores it as a draft, and focuses it. */
function useSuggestion(form: WantListForm, suggested: SuggestedWant | undefined) {
  const isHydrated = useHydrated()
  const place = useEffectEvent(() => {
    if (suggested === undefined) return
    flushSync(() => setList(form, withSuggestion(form.getValues(), suggested)))
    const name = categoryName(suggested.category_id)
    const index = findItem(suggested.title, form.getValues(name))
    if (index !== -1) form.setFocus(`${name}.${index}.title`)
  })
  useEffect(() => {
    // Later, because React renders nothing within an effect.
    if (isHydrated) queueMicrotask(() => place())
  }, [isHydrated])
}

type CategoryGroupProps = { name: CategoryName; form: WantListForm }

function CategoryGroup({ name, form }: CategoryGroupProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name })
  const items = form.watch(name)
  const { isSubmitting } = form.formState
  const { perCategory } = limits.want
  const add = () => append(newItem())

  function removeNew(index: number) {
    remove(index)
    if (fields.length === 1) append(newItem())
    else form.setFocus(`${name}.${Math.max(0, fields.length - 2)}.title`)
  }
  return (
    <WantGroup
      name={name}
      count={t`${{ count: countKept(items.filter((item) => !isEmpty(item))) }} of ${{ max: perCategory }}`}
    >
      <Stack as="ul" gap="2" className={css.lines}>
        {fields.map(({ id, ...item }, index) => (
          <WantLine
            key={id}
            item={items[index] ?? item}
            form={form}
            name={name}
            index={index}
            readOnly={isSubmitting}
            isFull={countKept(items) >= perCategory}
            onRemoveNew={() => removeNew(index)}
            onEnter={canAdd(items) && index === items.length - 1 ? add : undefined}
          />
        ))}
      </Stack>
      <Button variant="quiet" size="small" disabled={!canAdd(items) || isSubmitting} onClick={add}>
        <Icon name="plus" size={20} />
        <span>
          <Trans>
            add<VisuallyHidden> to {categoryLabel(name)}</VisuallyHidden>
          </Trans>
        </span>
      </Button>
    </WantGroup>
  )
}

/** Returns the specified message, and on a second line the server's reason. */
function failureText(error: unknown): string {
  if (error instanceof NothingToSave) return translateMessage(wantMessages.nothingToSave)
  const detail = error instanceof ApiError && [409, 422].includes(error.status) ? error.detail : undefined
  return [t`Failed to save changes. Please try again.`, detail && translateMessage(detail)]
    .filter(Boolean)
    .join('\n')
}
