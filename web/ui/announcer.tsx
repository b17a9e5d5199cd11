import { useEffect, useSyncExternalStore } from 'react'
import css from './visually-hidden.module.css'

let said = { text: '', count: 0 }
let listeners: readonly (() => void)[] = []

/** Says what has come about on the screen to those who do not see it; the focus stays where it is. */
export function announce(text: string) {
  said = { text, count: said.count + 1 }
  for (const tell of listeners) tell()
}

/** Says it when it is there, and again whenever it is another. */
export function useAnnounced(text: string | undefined) {
  useEffect(() => {
    if (text !== undefined) announce(text)
  }, [text])
}

/** Says how much a list holds when it has come: 'listings: 24 and more'. Of an empty one `Empty` speaks. */
export function useAnnouncedCount(count: number | undefined, things: string | undefined, hasMore = false) {
  const text = `${things}: ${count}${hasMore ? ' and more' : ''}`
  useAnnounced(count && things !== undefined ? text : undefined)
}

const latest = () => said

/** Stands once, in the frame of the app: what is announced comes into a place that is there already. */
export function Announcer() {
  const { text, count } = useSyncExternalStore(subscribe, latest, latest)
  return (
    <div role="status" className={css.hidden}>
      {/* The same words twice are two pieces of news. */}
      <span key={count}>{text}</span>
    </div>
  )
}

function subscribe(tell: () => void) {
  listeners = [...listeners, tell]
  return () => {
    listeners = listeners.filter((other) => other !== tell)
  }
}
