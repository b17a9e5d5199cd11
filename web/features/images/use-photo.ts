import { useEffect, useRef, useState } from 'react'
import { errorMessages } from '#contract/error-messages.ts'
import { isImage } from './is-image.ts'
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

/** Holds the photo of a form, which is chosen, prepared, replaced or removed. */
export function usePhoto(): PhotoChoice {
  const [photo, setPhoto] = useState<Photo>({ step: 'none' })
  const controller = useRef<AbortController>(undefined)
  const work = useRef<Promise<File | undefined>>(undefined)

  /** True once the form is being sent. The preparation then continues after the member leaves the screen. */
  const awaited = useRef(false)

  useEffect(
    () => () => {
      if (!awaited.current) controller.current?.abort()
    },
    [],
  )

  function choose(file: File) {
    remove()
    if (!isImage(file)) return setPhoto({ step: 'none', problem: errorMessages.notAnImage })
    controller.current = new AbortController()
    work.current = prepare(file, controller.current.signal)
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
      // The signal aborted: another photo was chosen, or it was removed.
      return undefined
    }
  }

  function remove() {
    controller.current?.abort()
    work.current = undefined
    setPhoto({ step: 'none' })
  }

  async function prepared() {
    awaited.current = true
    return work.current
  }

  return { photo, choose, remove, prepared }
}
