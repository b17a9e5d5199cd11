import { useEffect, useState } from 'react'

/** The pause in typing before a request. */
const delayMs = 500

/** Returns the values after they have not changed for half a second; at first, those of the first rendering. */
export function useDebounced<Values extends Record<string, unknown>>(values: Values): Values {
  const [debounced, setDebounced] = useState(values)
  const key = JSON.stringify(values)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(key)), delayMs)
    return () => clearTimeout(timer)
  }, [key])
  return debounced
}
