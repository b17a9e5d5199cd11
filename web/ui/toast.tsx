import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import css from './toast.module.css'

type Slip = { id: number; text: string }

const shownFor = 4000
let slip: Slip | undefined
let listeners: readonly (() => void)[] = []

/** Says a small success, such as 'Link copied', for four seconds. A newer one takes the place of an older. */
export function toast(text: string) {
  show({ id: (slip?.id ?? 0) + 1, text })
}

/** Stands once, in the frame of the app: the place is announced, so it is there before it is filled. */
export function ToastHost() {
  const current = useSyncExternalStore(subscribe, () => slip)
  return (
    <div role="status" className={css.host}>
      {current !== undefined && <Toast key={current.id} text={current.text} />}
    </div>
  )
}

function Toast({ text }: { text: string }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => show(undefined), shownFor)
    return () => clearTimeout(timer)
  }, [held])
  return (
    <div className={css.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <Icon name="check" size={20} />
      {text}
    </div>
  )
}

function show(next: Slip | undefined) {
  slip = next
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void) {
  listeners = [...listeners, tell]
  return () => {
    listeners = listeners.filter((other) => other !== tell)
  }
}
