import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { exportProfile } from '#contract/profile.ts'
import { unknownFailure } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import layout from '#web/styles/layout.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { saveAsFile } from '#web/ui/save-as-file.ts'

/** A button that downloads the member's data. A plain link would not send the token. */
export function DownloadData() {
  const client = useQueryClient()
  const download = useAction(
    async () => {
      const json = JSON.stringify(await call(client, exportProfile), null, 2)
      saveAsFile('rhubarb-export.json', new Blob([json], { type: 'application/json' }))
    },
    { fallback: unknownFailure() },
  )
  return (
    <>
      {download.failure !== undefined && (
        <div className={layout.wholeLine}>
          <Banner kind="error" onDismiss={download.reset}>
            {download.failure}
          </Banner>
        </div>
      )}
      <Button
        variant="secondary"
        size="small"
        busy={download.isPending && t`Loading...`}
        onClick={download.press}
      >
        {t`download my data`}
      </Button>
    </>
  )
}
