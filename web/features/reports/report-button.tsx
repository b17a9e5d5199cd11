import { Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazyExport } from '#web/ui/lazy-export.ts'
import type { ReportSubject } from './report-dialog.tsx'

const ReportDialog = lazyExport(() => import('./report-dialog.tsx'), 'ReportDialog')

/** The dialog of a report. Its code is loaded when it is opened. */
export function LazyReportDialog({ about, onClose }: { about: ReportSubject; onClose: () => void }) {
  return (
    <Suspense>
      <ReportDialog about={about} onClose={onClose} />
    </Suspense>
  )
}

export function ReportButton({ about }: { about: ReportSubject }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        report
      </Button>
      {open && <LazyReportDialog about={about} onClose={() => setOpen(false)} />}
    </>
  )
}
