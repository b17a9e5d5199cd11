import { useMutation, useQueryClient } from '@tanstack/react-query'
import { exportProfile } from '#contract/profile.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import layout from '#web/styles/layout.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { saveAsFile } from '#web/ui/save-as-file.ts'

/** A button that downloads the member's data. A plain link would not send the token. */
export function DownloadData() {
  const client = useQueryClient()
  const download = useMutation({
    mutationFn: async () => {
      const data = await call(client, exportProfile)
      saveAsFile(
        'rhubarb-export.json',
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
      )
    },
  })
  return (
    <>
      {download.isError && (
        <div className={layout.wholeLine}>
          <Banner kind="error" onDismiss={download.reset}>
            {errorText(download.error)}
          </Banner>
        </div>
      )}
      <Button
        variant="secondary"
        size="small"
        busy={download.isPending && 'Loading...'}
        onClick={() => download.mutate()}
      >
        download my data
      </Button>
    </>
  )
}
