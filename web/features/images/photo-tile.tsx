import { t } from '@lingui/core/macro'
import type { KeyboardEvent } from 'react'
import { translateMessage } from '#web/i18n/translate-message.ts'
import text from '#web/styles/text.module.css'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { PhotoPreview } from './photo-preview.tsx'
import { isRunning, type ListedPhoto } from './photo-state.ts'
import css from './photo-tile.module.css'
import { warningText } from './prepare-image.ts'
import type { useDragOrder } from './use-drag-order.ts'

type PhotoTileProps = {
  photo: ListedPhoto
  index: number
  /** True for the photo that stands for the listing. */
  isCover: boolean
  isLast: boolean
  onMove: (to: number) => void
  onRemove: () => void
  onRetry: () => void
  /** Of the part by which the photo is dragged. */
  handleProps: ReturnType<ReturnType<typeof useDragOrder>['handleProps']>
  isDragged: boolean
  /** True if another photo would be dropped here. */
  isTarget: boolean
}

/** Shows a photo of a form with its state, and buttons that move and remove it. */
export function PhotoTile({
  photo,
  index,
  isCover,
  isLast,
  onMove,
  onRemove,
  onRetry,
  handleProps,
  isDragged,
  isTarget,
}: PhotoTileProps) {
  const name = t`photo ${{ number: index + 1 }}`
  return (
    <Stack
      as="li"
      gap="1"
      className={classNames(css.tile, isTarget && css.target, isDragged && css.dragged)}
      data-dragged={isDragged || undefined}
    >
      <div className={css.picture} {...handleProps}>
        <PhotoPreview
          photo={photo}
          alt={photo.alt || t`Photo ${{ number: index + 1 }}`}
          sizes="(min-width: 1024px) 6rem, 33vw"
        />
        {isCover && <span className={css.cover}>{t`cover`}</span>}
      </div>
      <Actions {...{ name, index, isLast, onMove, onRemove }} />
      <StepNote photo={photo} onRetry={onRetry} />
    </Stack>
  )
}

type ActionsProps = Pick<PhotoTileProps, 'index' | 'isLast' | 'onMove' | 'onRemove'> & { name: string }

function Actions({ name, index, isLast, onMove, onRemove }: ActionsProps) {
  function moveByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return (
    <Cluster gap="0" align="stretch" className={css.actions}>
      <IconButton
        label={t`Move ${name} earlier`}
        aria-disabled={index === 0}
        aria-keyshortcuts="ArrowUp"
        onKeyDown={moveByKey}
        onClick={() => onMove(index - 1)}
      >
        <Icon name="previous" />
      </IconButton>
      <IconButton
        label={t`Move ${name} later`}
        aria-disabled={isLast}
        aria-keyshortcuts="ArrowDown"
        onKeyDown={moveByKey}
        onClick={() => onMove(index + 1)}
      >
        <Icon name="next" />
      </IconButton>
      <IconButton label={t`Remove ${name}`} onClick={onRemove}>
        <Icon name="trash" />
      </IconButton>
    </Cluster>
  )
}

function StepNote({ photo, onRetry }: Pick<PhotoTileProps, 'photo' | 'onRetry'>) {
  const { step, warning, problem, progress } = photo
  return (
    <>
      {warning !== undefined && (
        <ErrorNote role="alert" className={css.note}>
          {warningText(warning)}
        </ErrorNote>
      )}
      {isRunning(step) && (
        <div className={css.note}>
          <Progress label={step === 'preparing' ? t`Preparing photo` : t`Sending photo`} value={progress} />
        </div>
      )}
      {step === 'waiting' && (
        <p className={classNames(text.caption, css.waiting)}>{t`Waiting for a connection`}</p>
      )}
      {step === 'failed' && (
        <Stack gap="2" align="start" className={css.refusal}>
          <ErrorNote role="alert">{problem && translateMessage(problem)}</ErrorNote>
          <Button variant="secondary" size="small" onClick={onRetry}>
            {t`Try again`}
          </Button>
        </Stack>
      )}
    </>
  )
}
