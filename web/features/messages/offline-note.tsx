import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useOnlineStatus } from '#web/api/online-status.ts'
import { useConnected } from '#web/realtime/connection.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './offline-note.module.css'

/** The note appears after this time without a connection. */
const delayMs = 3000

/** Shows that messages wait while the server can not be reached. */
export function OfflineNote() {
  const isLive = useConnected()
  const isOnline = useOnlineStatus()
  // Without a socket, messages go by HTTP.
  const connected = isLive || isOnline
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (connected) return
    const timer = setTimeout(() => setIsLong(true), delayMs)
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
          {t`There is no connection. Your messages go out when there is one.`}
        </p>
      )}
    </div>
  )
}
