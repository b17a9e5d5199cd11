import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { IconButton } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './search-box.module.css'

/** Long enough that nobody's every letter is a search. */
const pauseMs = 400

type SearchBoxProps = {
  label: string
  /** Shown instead of the label. */
  placeholder?: string
  /** The searched words. */
  words: string | undefined
  /** Gets the words once the typing rests, or nothing when there are too few letters to search for. */
  onSearch: (words: string | undefined) => void
  /** How many letters are enough to search for. */
  fewest?: number
}

export function SearchBox({
  label,
  placeholder = label,
  words = '',
  onSearch,
  fewest = limits.query.min,
}: SearchBoxProps) {
  /** The words as they are asked for; fewer letters than a search needs are none. */
  const searchable = (text: string) => (text.trim().length >= fewest ? text.trim() : '')
  const [typed, setTyped] = useState(words)
  const showWords = useEffectEvent(() => {
    if (searchable(typed) !== words) setTyped(words)
  })
  // Back, forward or a link has changed the words of the address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the words change.
  useEffect(showWords, [words])
  const box = useRef<HTMLInputElement>(null)
  const search = useEffectEvent(() => {
    if (searchable(typed) !== words) onSearch(searchable(typed) || undefined)
  })

  const wanted = searchable(typed)
  useEffect(() => {
    if (wanted === words) return
    const rest = setTimeout(search, pauseMs)
    return () => clearTimeout(rest)
  }, [wanted, words])

  function submit(event: FormEvent) {
    event.preventDefault()
    search()
    // On a phone the keyboard goes, and what was found can be seen.
    box.current?.blur()
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
            label="Clear the search"
            className={css.clear}
            onClick={() => {
              setTyped('')
              onSearch(undefined)
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
