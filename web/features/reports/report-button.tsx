import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import type { ReportSubject } from './report-dialog.tsx'

/** The dialog of a report. Its code is loaded when it is opened. */
export const LazyReportDialog = lazyExport(() => import('./report-dialog.tsx'), 'ReportDialog')

export function ReportButton({ about }: { about: ReportSubject }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        {t`report`}
      </Button>
      {open && <LazyReportDialog about={about} onClose={() => setOpen(false)} />}
    </>
  )
}
