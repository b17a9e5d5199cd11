import { TransNoContext } from '@lingui/react/server'
import type { ReactElement } from 'react'
import { currentI18n } from './i18n.ts'

type TransProps = {
  id: string
  message?: string
  values?: Record<string, unknown>
  components?: Record<string, ReactElement>
}

/** Shows a message with elements in it. The macro `Trans` becomes this component, which needs no provider. */
export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={{ i18n: currentI18n() }} />
}
