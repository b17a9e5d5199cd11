import { useEffect } from 'react'

/** Tells the page's first script that a screen answers whoever uses it, which one that the page has brought did not yet. */
export function useAnswers() {
  useEffect(() => {
    dispatchEvent(new Event('answers'))
  }, [])
}
