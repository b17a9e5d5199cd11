import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { categoryName, limits } from '#contract/constants.ts'
import { wantMessages, wantTitle } from '#contract/wants.ts'
import { useAppContext } from '#web/context/app-context.ts'
import {
  type CategoryName,
  categoryIdOf,
  categoryLabel,
  groupNames,
} from '#web/features/listings/categories.ts'
import { guessedCategoryQuery } from '#web/features/listings/listing-queries.ts'
import { region } from '#web/i18n/region.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { announce } from '#web/ui/announcements.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { isEnter } from '#web/ui/is-enter.ts'
import { Cluster, Row, Stack } from '#web/ui/layout.tsx'
import css from './quick-want.module.css'
import { seasonalWants } from './seasonal-wants.ts'
import { countKept, findItem, isEmpty, newItem, type WantList, withSuggestion } from './want-items.ts'

interface QuickWantProps {
  readonly form: UseFormReturn<WantList>
  /** Sets the changed categories of the form. */
  readonly setList: (list: WantList) => void
}

/** One box for all categories: Enter adds what is typed to the category that the server guesses. Shows the new items as chips. */
export function QuickWant(props: QuickWantProps) {
  const { typed, problem, type, add, move, remove } = useQuickWants(props)
  const box = useRef<HTMLInputElement>(null)
  const list = props.form.watch()
  const added = groupNames.flatMap((name) =>
    list[name].filter((item) => !item.saved && !isEmpty(item)).map(({ title }) => ({ name, title })),
  )

  function enter(event: KeyboardEvent) {
    if (!isEnter(event)) return
    // The form is saved by its button.
    event.preventDefault()
    void add(typed)
  }
  return (
    <Stack gap="3" className={css.quick}>
      <TextField
        ref={box}
        label={t`What do you want?`}
        className={css.box}
        autoComplete="off"
        enterKeyHint="enter"
        hint={t`Enter adds it to its category, which you can change.`}
        error={problem}
        value={typed}
        onKeyDown={enter}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {added.length > 0 && (
        <Cluster as="ul" gap="2" aria-label={t`New on your wish list`}>
          {added.map(({ name, title }) => (
            <Chip
              key={`${name} ${title}`}
              title={title}
              name={name}
              onMove={(to) => move(title, name, to)}
              onRemove={() => {
                remove(title, name)
                box.current?.focus()
              }}
            />
          ))}
        </Cluster>
      )}
      <Examples isOn={(title) => isOnList(list, title)} onAdd={add} />
    </Stack>
  )
}

/** Holds the text of the box and what is wrong with it, and changes the list of the form. */
function useQuickWants({ form, setList }: QuickWantProps) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()

  function type(text: string) {
    setProblem(undefined)
    setTyped(text)
  }

  async function add(words: string) {
    const title = words.trim()
    const { error } = wantTitle.safeParse(title)
    if (error) return setProblem(error.issues[0] && translateMessage(error.issues[0].message))
    type('')
    // Without an answer the item has no category, and fits listings of any.
    const guess = await client.fetchQuery(guessedCategoryQuery(title)).catch(() => undefined)
    if (isOnList(form.getValues(), title)) return
    if (!place(title, categoryName(guess?.category_id ?? null))) setTyped(title)
  }

  /** Adds an item. Returns false if the category has no room for it. */
  function place(title: string, name: CategoryName): boolean {
    const list = form.getValues()
    if (isFull(list, name)) {
      setProblem(translateMessage(wantMessages.tooMany))
      return false
    }
    setList(withSuggestion(list, { title, category_id: categoryIdOf(name) }))
    announce(announcement, t`${title}: added to ${{ category: categoryLabel(name) }}`)
    return true
  }

  function remove(title: string, from: CategoryName) {
    const list = form.getValues()
    const items = list[from].filter((item) => item.saved || item.title !== title)
    setList({ ...list, [from]: items.length > 0 ? items : [newItem()] })
  }

  function move(title: string, from: CategoryName, to: CategoryName) {
    setProblem(undefined)
    if (place(title, to)) remove(title, from)
  }
  return { typed, problem, type, add, move, remove }
}

function isOnList(list: WantList, title: string): boolean {
  return groupNames.some((name) => findItem(title, list[name]) !== -1)
}

function isFull(list: WantList, name: CategoryName): boolean {
  return countKept(list[name].filter((item) => !isEmpty(item))) >= limits.want.perCategory
}

interface ChipProps {
  readonly title: string
  readonly name: CategoryName
  readonly onMove: (to: CategoryName) => void
  readonly onRemove: () => void
}

/** A new item with its category, which can be changed. */
function Chip({ title, name, onMove, onRemove }: ChipProps) {
  return (
    <Row as="li" gap="1" className={css.chip}>
      <span dir="auto">{title}</span>
      <select
        aria-label={t`Category of ${title}`}
        value={name}
        onChange={({ currentTarget }) => {
          const to = groupNames.find((each) => each === currentTarget.value)
          if (to) onMove(to)
        }}
      >
        {groupNames.map((each) => (
          <option key={each} value={each}>
            {categoryLabel(each)}
          </option>
        ))}
      </select>
      <IconButton label={t`Remove ${{ name: title }}`} onClick={onRemove}>
        <Icon name="close" size={18} />
      </IconButton>
    </Row>
  )
}

interface ExamplesProps {
  readonly isOn: (title: string) => boolean
  readonly onAdd: (title: string) => void
}

/** Buttons that add what members want in this season. */
function Examples({ isOn, onAdd }: ExamplesProps) {
  const examples = seasonalWants(new Date(), region().country).filter((title) => !isOn(title))
  return (
    <Cluster gap="2" className={css.examples}>
      <span>{t`This season:`}</span>
      {examples.map((title) => (
        <Button key={title} variant="quiet" size="small" onClick={() => onAdd(title)}>
          <Icon name="plus" size={16} />
          {title}
        </Button>
      ))}
    </Cluster>
  )
}
