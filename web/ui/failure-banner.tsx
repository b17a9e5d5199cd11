import type { ComponentProps } from 'react'
import { Banner } from './banner.tsx'

type FailureBannerProps = Pick<ComponentProps<typeof Banner>, 'onDismiss'> & {
  /** Undefined shows nothing. */
  text: string | undefined
  className?: string | undefined
}

/** The error of a form or an action. Scrolls to it, because the pressed button can be far below. */
export function FailureBanner({ text, className, ...banner }: FailureBannerProps) {
  if (text === undefined) return null
  return (
    <div className={className} ref={scrollToCenter}>
      <Banner kind="error" {...banner}>
        {text}
      </Banner>
    </div>
  )
}

/** Scrolls to the center, because the navigation covers the lower end of a phone's screen. */
function scrollToCenter(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
