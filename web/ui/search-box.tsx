import { t } from '@lingui/core/macro'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { isSearchable } from '#contract/search-words.ts'
import { IconButton } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './search-box.module.css'

/** The debounce delay, longer than the pause between two keys. */
const delayMs = 400

type SearchBoxProps = {
  label: string
  /** Shown instead of the label. */
  placeholder?: string
  /** The searched words. */
  words: string | undefined
  /** Receives the words after the typing pauses, undefined if they are too short to search for. */
  onSearch: (words: string | undefined) => void
  /** The minimum number of characters of a search. */
  minLength?: number
}

export function SearchBox({
  label,
  placeholder = label,
  words = '',
  onSearch,
  minLength = limits.query.min,
}: SearchBoxProps) {
  const { typed, setTyped, search, clear } = useTypedWords({ words, onSearch, minLength })
  const box = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    search()
    // Closes a phone's keyboard, so that the results are visible.
    if (matchMedia('(pointer: coarse)').matches) box.current?.blur()
  }
  return (
    <search>
      <form className={css.box} onSubmit={submit}>
        <SearchField
          ref={box}
          label={label}
          placeholder={placeholder}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={limits.query.max}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {typed !== '' && (
          <IconButton
            label={t`Clear the search`}
            className={css.clear}
            onClick={() => {
              clear()
              box.current?.focus()
            }}
          >
            <Icon name="close" size={20} />
          </IconButton>
        )}
      </form>
    </search>
  )
}

/** Holds the typed text, which follows the words of the address, and searches for it after a pause. */
function useTypedWords({
  words,
  onSearch,
  minLength,
}: Required<Pick<SearchBoxProps, 'onSearch' | 'minLength'>> & { words: string }) {
  const [typed, setTyped] = useState(words)
  /** The words of the last search until they are in the address. */
  const searched = useRef<string>(undefined)
  useEffect(() => {
    // Back, Forward or a link has changed the address. After a search, the member may have typed more.
    if (words !== searched.current) setTyped(words)
    searched.current = undefined
  }, [words])

  /** The trimmed text, empty if it is too short to search for. */
  const query = isSearchable(typed.trim(), minLength) ? typed.trim() : ''
  function searchFor(next: string) {
    searched.current = next
    onSearch(next || undefined)
  }
  function search() {
    if (query !== words) searchFor(query)
  }
  function clear() {
    setTyped('')
    searchFor('')
  }
  const searchAfterPause = useEffectEvent(search)
  useEffect(() => {
    if (query === words) return
    const timer = setTimeout(searchAfterPause, delayMs)
    return () => clearTimeout(timer)
  }, [query, words])
  return { typed, setTyped, search, clear }
}
