import { TransNoContext } from '@lingui/react/server'
import type { ReactElement } from 'react'
import { currentI18n } from './i18n.ts'

type TransProps = {
  id: string
  message?: string
  values?: Record<string, unknown>
  components?: Record<string, ReactElement>
}

/**
 * Shows a message with elements in it. The macro `Trans` becomes this component, which needs no provider. Texts among the values keep
 * their own direction. They become elements, because Lingui would read tags in them.
 */
export function Trans({ values = {}, ...message }: TransProps) {
  const shown = Object.entries(values).map(([name, value]) => [name, isolatedValue(value)])
  return <TransNoContext {...message} values={Object.fromEntries(shown)} lingui={{ i18n: currentI18n() }} />
}

function isolatedValue(value: unknown) {
  return typeof value === 'string' ? <bdi>{value}</bdi> : value
}
