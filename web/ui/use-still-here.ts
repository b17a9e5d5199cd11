import { useEffect, useRef } from 'react'

/** Whether the screen still stands that now has its answer: it may have been left while it waited. */
export function useStillHere(): () => boolean {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return () => here.current
}
