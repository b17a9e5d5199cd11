import { useEffect, useState } from 'react'

/** An image may still be loading from a URL that is replaced. */
const revokeDelayMs = 10_000

/** Returns a URL at which this page can show the file. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file === undefined) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setTimeout(() => URL.revokeObjectURL(made), revokeDelayMs)
      setUrl(undefined)
    }
  }, [file])
  return url
}
