import { useEffect, useRef, useState } from 'react'
import { errorMessages } from '#contract/error-messages.ts'
import { prepareImage } from './prepare-image.ts'

export type Photo =
  | { step: 'none'; problem?: string }
  | { step: 'preparing'; file: File; done: number }
  | { step: 'ready'; file: File; warning?: string | undefined }

export interface PhotoChoice {
  photo: Photo
  choose: (file: File) => void
  remove: () => void
  /** The file to send, once it is prepared; undefined when there is none. */
  prepared: () => Promise<File | undefined>
}

/** One photo of a form: chosen, prepared, replaced or removed. */
export function usePhoto(): PhotoChoice {
  const [photo, setPhoto] = useState<Photo>({ step: 'none' })
  const stop = useRef<AbortController>(undefined)
  const work = useRef<Promise<File | undefined>>(undefined)

  /** Somebody waits for the file: it is prepared to the end, also when its screen is left. */
  const awaited = useRef(false)

  useEffect(
    () => () => {
      if (!awaited.current) stop.current?.abort()
    },
    [],
  )

  function choose(file: File) {
    remove()
    if (!isImage(file)) return setPhoto({ step: 'none', problem: errorMessages.notAnImage })
    const controller = new AbortController()
    stop.current = controller
    work.current = prepare(file, controller.signal)
  }

  async function prepare(file: File, signal: AbortSignal) {
    const show = (next: Photo) => !signal.aborted && setPhoto(next)
    show({ step: 'preparing', file, done: 0 })
    try {
      const onProgress = (done: number) => show({ step: 'preparing', file, done })
      const prepared = await prepareImage(file, { signal, onProgress })
      show({ step: 'ready', ...prepared })
      return prepared.file
    } catch {
      // Another photo was chosen, or none.
      return undefined
    }
  }

  function remove() {
    stop.current?.abort()
    work.current = undefined
    setPhoto({ step: 'none' })
  }

  async function prepared() {
    awaited.current = true
    return work.current
  }

  return { photo, choose, remove, prepared }
}

/** By what the system says of the file; some know no type for what phones take today. */
function isImage({ type, name }: File) {
  if (type === 'image/svg+xml') return false
  return type.startsWith('image/') || (type === '' && /\.(?:heic|heif|avif)$/i.test(name))
}
