import { Banner } from './banner.tsx'

type FailureBannerProps = {
  /** Undefined shows nothing. */
  text: string | undefined
  className?: string | undefined
  onDismiss: () => void
}

/** The error of a form or an action. Scrolls to it, because the pressed button can be far below. */
export function FailureBanner({ text, className, onDismiss }: FailureBannerProps) {
  if (text === undefined) return null
  return (
    <div className={className} ref={scrollToCenter}>
      <Banner kind="error" onDismiss={onDismiss}>
        {text}
      </Banner>
    </div>
  )
}

/** Scrolls to the center, because the navigation covers the lower end of a phone's screen. */
function scrollToCenter(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
