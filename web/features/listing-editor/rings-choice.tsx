import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { types } from '#contract/constants.ts'
import { Check } from '#web/ui/check.tsx'

type RingsChoiceProps = Omit<ComponentProps<typeof Check>, 'type' | 'label' | 'hint'> & { type: number }

/** A checkbox that opens a giveaway to rings. Exchanges are always open to rings, sales never. */
export function RingsChoice({ type, ...field }: RingsChoiceProps) {
  if (type !== types.giveaway) return null
  return (
    <Check
      {...field}
      label={t`open to rings`}
      hint={t`In a ring, three or four members give to each other in a circle, and each gets something from their wish list. Check it to get something back for this. Only public listings take part.`}
    />
  )
}
