import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { Subject } from './report-dialog.tsx'

const ReportDialog = lazy(() =>
  import('./report-dialog.tsx').then((module) => ({ default: module.ReportDialog })),
)

export function ReportButton({ about }: { about: Subject }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        report
      </Button>
      {open && (
        <Suspense>
          <ReportDialog about={about} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
