import { useEffect, useState } from 'react'
import { useConnected } from '#web/realtime/connection.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './offline-note.module.css'

/** A short break is nothing to speak of. */
const patienceMs = 3000

/** Says that the conversation stands still, while it does. */
export function OfflineNote() {
  const connected = useConnected()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (connected) return
    const timer = setTimeout(() => setIsLong(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [connected])
  return (
    <div role="status" className={css.note}>
      {isLong && (
        <p>
          <Icon name="warn" size={16} />
          There is no connection. Your messages go out when there is one.
        </p>
      )}
    </div>
  )
}
