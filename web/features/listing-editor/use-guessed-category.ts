import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { guessedCategoryQuery } from '#web/features/listings/listing-queries.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import type { ListingForm } from './listing-values.ts'

/** Sets the category that the server guesses from the name, until the member chooses one. */
export function useGuessedCategory(form: ListingForm, isChosenAtStart: boolean) {
  const { title } = useDebounced({ title: form.watch('title').trim().slice(0, limits.title.max) })
  const isChosen = useRef(isChosenAtStart)
  const [isGuessed, setGuessed] = useState(false)
  const { data } = useQuery({ ...guessedCategoryQuery(title), enabled: title.length >= limits.title.min })
  useEffect(() => {
    if (isChosen.current || !data?.is_known) return
    form.setValue('category_id', data.category_id, { shouldDirty: true })
    setGuessed(true)
  }, [form, data])
  return {
    isGuessed,
    choose() {
      isChosen.current = true
      setGuessed(false)
    },
  }
}
